// Sizes of the case's parts: the display's module (0.96 inch), buttons, the Pi's holes.
case_size = [130, 90, 42];
wall = 2.4;
post = 8;
display_window = [23.5, 13];   // what shows
display_board = [27.6, 28];
display_holes = 23.5;          // apart, both ways
button_d = 12;
buttons = [[-44, -22], [-22, -22], [0, -22], [22, -22], [44, -22]];
display_at = [-20, 16];
led_at = [32, 24];
led_d = 5;
buzzer_at = [32, 8];
pi_holes = [58, 49];           // 3B+, 4, 5
zero_holes = [58, 23];         // Zero 2 W
