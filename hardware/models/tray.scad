// One tray of the dice mat: floor, and a rim all round. Felt is glued on the floor.
include <common.scad>
include <table_data.scad>

outer = tray_inside + 2 * rim_width;
difference() {
    translate([0, 0, 0]) rounded([outer, outer, rim_height], 4);
    translate([0, 0, tray_floor]) linear_extrude(rim_height) square(tray_inside, center = true);
}
