// The front of the case: display, five buttons, status light, buzzer. z = 0 is its outer face.
include <common.scad>
include <panel_data.scad>

difference() {
    union() {
        rounded([case_size[0], case_size[1], wall], 4);
        // A lip that goes into the case.
        translate([0, 0, wall - 0.01]) difference() {
            rounded([case_size[0] - 2 * wall - 2 * slide, case_size[1] - 2 * wall - 2 * slide, 4], 3);
            translate([0, 0, -1])
                rounded([case_size[0] - 4 * wall - 2 * slide, case_size[1] - 4 * wall - 2 * slide, 6], 2);
            // Room for the case's posts.
            for (x = [-1, 1], y = [-1, 1])
                translate([x * (case_size[0] / 2 - wall - post / 2), y * (case_size[1] / 2 - wall - post / 2), -1])
                    cube([post + 2 * slide + 3, post + 2 * slide + 3, 20], center = true);
        }
        translate([display_at[0], display_at[1], wall - 0.01])
            for (x = [-1, 1], y = [-1, 1])
                translate([x * display_holes / 2, y * display_holes / 2, 0]) cylinder(d = 4.4, h = 3);
    }
    translate([display_at[0], display_at[1] + 1.5, -1])
        linear_extrude(wall + 2) square(display_window, center = true);
    translate([display_at[0], display_at[1], wall - 0.01])
        for (x = [-1, 1], y = [-1, 1])
            translate([x * display_holes / 2, y * display_holes / 2, 0]) cylinder(d = 1.7, h = 6);
    for (b = buttons) translate([b[0], b[1], -1]) cylinder(d = button_d + 2 * fit, h = wall + 2);
    translate([led_at[0], led_at[1], -1]) cylinder(d = led_d + 2 * fit, h = wall + 2);
    for (a = [0 : 60 : 300]) translate([buzzer_at[0] + 4 * cos(a), buzzer_at[1] + 4 * sin(a), -1])
        cylinder(d = 2, h = wall + 2);
    for (x = [-1, 1], y = [-1, 1])
        translate([x * (case_size[0] / 2 - wall - post / 2), y * (case_size[1] / 2 - wall - post / 2), -1])
            cylinder(d = m3_hole, h = wall + 2);
}
