// A car of Autoscooter: bumper, body, a flat roof for its tag, a pin for the speed beads, a pocket
// for the magnet. x is ahead, z = 0 stands on the plate.
include <common.scad>
include <table_data.scad>

paper = 0.3;  // the tag's card
roof = tag_height - paper;

difference() {
    union() {
        rounded([car_length, car_width, 5], 9);                          // bumper
        translate([0, 0, 5]) rounded([car_length - 4, car_width - 4, roof - 8], 7);
        // The roof plate lies under the whole tag with its quiet zone.
        translate([tag_ahead, 0, roof - 3.01]) rounded([tag_quiet + 1, tag_quiet + 1, 3.01], 1.5);
        translate([-pin_behind, 0, 0]) cylinder(d = pin_diameter, h = pin_top);
    }
    magnet_pocket();
}
