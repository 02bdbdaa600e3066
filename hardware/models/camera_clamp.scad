// Clamps a Pi camera, or a webcam with a quarter-inch thread, to a boom of 20 mm.
// The boom runs along y; z = 0 is the camera's plate.
include <common.scad>
boom_d = 20;
plate = [36, 34, 4];
block = 32;
difference() {
    union() {
        rounded(plate, 3);
        translate([0, 0, plate[2] - 0.01]) rounded([block, 24, block], 3);
    }
    translate([0, 0, plate[2] + block / 2 + 1]) rotate([90, 0, 0])
        cylinder(d = boom_d + 2 * slide, h = 60, center = true);
    // The slit, and a screw across it.
    translate([-1.5, -20, plate[2] + block / 2 + 1]) cube([3, 40, block]);
    translate([0, 0, plate[2] + block - 2]) rotate([0, 90, 0])
        cylinder(d = m3_hole, h = 60, center = true);
    // Pi camera: four M2 holes, 21 x 12.5 apart.
    for (x = [-1, 1], y = [-1, 1]) translate([x * 21 / 2, y * 12.5 / 2, -1]) cylinder(d = 2.2, h = plate[2] + 4);
    // Webcam: a quarter-inch screw from above, its head sunk.
    translate([0, 0, -1]) cylinder(d = 6.6, h = plate[2] + 8);
}
