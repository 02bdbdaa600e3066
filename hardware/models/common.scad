// What all models share: clearances of a printer, the magnet, screws. Lengths in mm.
$fn = 48;
fit = 0.2;       // between a part and the hole that it is pushed into, each side
slide = 0.3;     // between parts that go together by hand
magnet_d = 8;    // N35 disc, 8 x 3
magnet_h = 3;
floor_under_magnet = 0.4;
m3_hole = 3.2;
m3_core = 2.6;   // an M3 screw cuts its own thread in it

module magnet_pocket() {  // open at the bottom, z = 0
    translate([0, 0, -1]) cylinder(d = magnet_d + 2 * fit, h = magnet_h + fit + 1);
}

module rounded(size, r) {  // a box standing on z = 0, its middle at the origin, upright edges round
    linear_extrude(size[2])
        offset(r) square([size[0] - 2 * r, size[1] - 2 * r], center = true);
}
