// A disc with a magnet in it, and on top the place for a printed sign. z = 0 stands on the plate.
include <common.scad>
include <table_data.scad>

rim = 0.4;  // keeps the paper sign in its place
difference() {
    cylinder(d = disc_diameter, h = disc_height);
    translate([0, 0, disc_height - rim]) cylinder(d = disc_diameter - 2.4, h = rim + 1);
    magnet_pocket();
}
