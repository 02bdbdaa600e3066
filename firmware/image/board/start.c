// newlib's start-up files bring these two; the SDK has its own start-up and never calls them.
void _init(void) {
}

void _fini(void) {
}
