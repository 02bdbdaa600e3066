// A peg that joins two quarters of the board frame.
include <common.scad>
cylinder(d = 4, h = 18);
