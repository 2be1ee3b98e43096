/* What stands in a program for its device's code, which our plug-in never runs: it only tells libgomp that there is some. */

extern const void *const __OFFLOAD_TABLE__[] __attribute__((visibility("hidden")));
void GOMP_offload_register_ver(unsigned version, const void *host_table, int target, const void *image);
void GOMP_offload_unregister_ver(unsigned version, const void *host_table, int target, const void *image);

enum { NVIDIA = 5, VERSION = 1 << 16 | 1 };

static const void *const nothing[1];

__attribute__((constructor)) static void begin(void) {
    GOMP_offload_register_ver(VERSION, __OFFLOAD_TABLE__, NVIDIA, nothing);
}

__attribute__((destructor)) static void end(void) {
    GOMP_offload_unregister_ver(VERSION, __OFFLOAD_TABLE__, NVIDIA, nothing);
}
