// A base to glue under a piece that people have: it hides a magnet. Balls sit in its bowl.
include <common.scad>
include <table_data.scad>

height = magnet_h + fit + 1;
difference() {
    cylinder(d1 = base_diameter, d2 = base_diameter - 1, h = height);
    magnet_pocket();
    if (ball_diameter > 0)
        translate([0, 0, height - 0.8 + ball_diameter / 2]) sphere(d = ball_diameter);
}
