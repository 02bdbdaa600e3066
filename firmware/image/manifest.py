# What is frozen into the image: the port's own start, and the firmware as it stands in the folder.
freeze("$(PORT_DIR)/modules", ("_boot.py", "rp2.py"))
package("tableref_firmware", base_path="..")
module("main.py", base_path="..")
