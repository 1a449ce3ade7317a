#define WRAPS __attribute__((optimize("wrapv")))
