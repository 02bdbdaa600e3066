// A token of Squod: one end round, or hollow. The face is printed on paper. x is its length.
include <common.scad>
include <table_data.scad>

hollow = false;
module outline() {
    half = token_width / 2;
    if (hollow)
        difference() {
            square([token_length, token_width], center = true);
            translate([token_length / 2 + half * 0.3, 0]) circle(half * 0.8);
        }
    else
        union() {
            translate([-half / 2, 0]) square([token_length - half, token_width], center = true);
            translate([token_length / 2 - half, 0]) circle(half);
        }
}
difference() {
    linear_extrude(token_height) outline();
    translate([hollow ? -4 : 0, 0, 0]) magnet_pocket();
}
