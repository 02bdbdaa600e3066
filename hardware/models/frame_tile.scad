// A quarter of the board frame: a deck with a pocket for the hall switch in the middle of each cell,
// a window for its light beside it, walls down to the table, and holes for pegs to the next quarter.
// The printed board lies on top. Origin: the middle of the whole board; the deck's top is z = plate_top.
include <common.scad>
include <table_data.scad>

quarter = [0, 0];      // 0 west or south, 1 east or north
deck = 3;
skin = 1;              // between a switch and the printed board
wall = 3;
hall = [5.0, 4.0];     // TO-92 lying flat, its face up
window = 5.5;          // a WS2812B's lens
peg = 4;

w = plate_width / 2;
d = plate_depth / 2;
low = [quarter[0] * w - w + slide / 2, quarter[1] * d - d + slide / 2];
size = [w - slide, d - slide];
sunk = plate_top - deck;

module plan() { translate(low) square(size); }
module windows() { for (c = cells) translate([c[0], c[1] + light_offset]) circle(d = window, $fn = 16); }
module pockets() { for (c = cells) translate(c) square(hall + 2 * [fit, fit], center = true); }

// Flat cuts are quick; the pockets end under the skin.
translate([0, 0, sunk]) linear_extrude(deck - skin) difference() { plan(); windows(); pockets(); }
translate([0, 0, plate_top - skin - 0.01]) linear_extrude(skin + 0.01) difference() { plan(); windows(); }
difference() {
    linear_extrude(sunk + 0.01) difference() {
        plan();
        translate(low + [wall, wall]) square(size - 2 * [wall, wall]);
        pockets();  // a switch near the edge has its place in the wall, too
        windows();
    }
    for (t = [0.25, 0.75]) {  // pegs
        translate([0, low[1] + d * t, sunk / 2]) rotate([0, 90, 0])
            cylinder(d = peg + 2 * fit, h = 20, center = true, $fn = 24);
        translate([low[0] + w * t, 0, sunk / 2]) rotate([90, 0, 0])
            cylinder(d = peg + 2 * fit, h = 20, center = true, $fn = 24);
    }
    // Gates for cables in the inner walls.
    translate([-10, low[1] + d / 2 - 12, -1]) cube([20, 24, sunk / 2 - 2]);
    translate([low[0] + w / 2 - 12, -10, -1]) cube([24, 20, sunk / 2 - 2]);
}
