// The back of the case: posts for the Pi and for the front's screws, gates for USB and power.
// z = 0 is its outer face; the front goes on at z = case_size[2] - wall.
include <common.scad>
include <panel_data.scad>

inner = case_size[2] - wall;
difference() {
    union() {
        difference() {
            rounded([case_size[0], case_size[1], inner], 4);
            translate([0, 0, wall])
                rounded([case_size[0] - 2 * wall, case_size[1] - 2 * wall, case_size[2]], 3);
        }
        for (x = [-1, 1], y = [-1, 1])
            translate([x * (case_size[0] / 2 - wall - post / 2), y * (case_size[1] / 2 - wall - post / 2), 0])
                linear_extrude(inner) square(post, center = true);
        for (x = [0, 1], y = [0, 1])
            translate([-45 + x * pi_holes[0], -24.5 + y * pi_holes[1], 0]) cylinder(d = 6, h = wall + 5);
        for (x = [0, 1])  // the Zero's upper holes; the lower ones are the Pi's
            translate([-45 + x * zero_holes[0], -24.5 + zero_holes[1], 0]) cylinder(d = 6, h = wall + 5);
    }
    for (x = [-1, 1], y = [-1, 1])
        translate([x * (case_size[0] / 2 - wall - post / 2), y * (case_size[1] / 2 - wall - post / 2), inner - 14])
            cylinder(d = m3_core, h = 20);
    for (x = [0, 1], y = [0, 1])
        translate([-45 + x * pi_holes[0], -24.5 + y * pi_holes[1], wall]) cylinder(d = 2.2, h = 10);
    for (x = [0, 1])
        translate([-45 + x * zero_holes[0], -24.5 + zero_holes[1], wall]) cylinder(d = 2.2, h = 10);
    // Plugs of the Pi on its long side and its short side.
    translate([-38, -case_size[1] / 2 - 1, wall + 4]) cube([64, wall + 2, 12]);
    translate([case_size[0] / 2 - wall - 1, -28, wall + 4]) cube([wall + 2, 56, 20]);
    // Air over the processor.
    for (x = [-30 : 8 : 10]) translate([x, 0, -1]) linear_extrude(wall + 2) square([3, 30], center = true);
}
