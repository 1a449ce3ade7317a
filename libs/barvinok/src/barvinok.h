/* The part of libbarvinok, and of the isl and the GMP that it brings along, that this crate uses. */

#include <stddef.h>

typedef struct isl_ctx isl_ctx;
typedef struct isl_set isl_set;
typedef struct isl_map isl_map;
typedef struct isl_pw_qpolynomial isl_pw_qpolynomial;

isl_ctx *isl_ctx_alloc(void);
void isl_ctx_free(isl_ctx *ctx);
int isl_options_set_on_error(isl_ctx *ctx, int val);
const char *isl_ctx_last_error_msg(isl_ctx *ctx);

isl_set *isl_set_read_from_str(isl_ctx *ctx, const char *str);
isl_pw_qpolynomial *isl_set_card(isl_set *set);
isl_map *isl_map_read_from_str(isl_ctx *ctx, const char *str);
isl_pw_qpolynomial *isl_map_card(isl_map *map);
char *isl_pw_qpolynomial_to_str(isl_pw_qpolynomial *pwqp);
isl_pw_qpolynomial *isl_pw_qpolynomial_free(isl_pw_qpolynomial *pwqp);

void __gmp_set_memory_functions(void *(*allocate)(size_t), void *(*reallocate)(void *, size_t, size_t),
                                void (*release)(void *, size_t));
