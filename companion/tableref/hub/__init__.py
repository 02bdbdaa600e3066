"""Many tables at one desk: what they tell a broker, kept as results, on a page."""
