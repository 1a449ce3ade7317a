/* Deriche's recursive filter: a smoothed image, by a pass in each direction along its rows and then its columns
 *
 * Usage: deriche [w [h]]
 */
#if !defined DATA_TYPE_IS_DOUBLE && !defined DATA_TYPE_IS_FLOAT
#define DATA_TYPE_IS_FLOAT
#endif
#include "suite.h"

#define _PB_W w
#define _PB_H h

static void init_array(int w, int h, DATA_TYPE *alpha, DATA_TYPE imgIn[w][h])
{
    *alpha = SCALAR_VAL(0.25);
    for (int i = 0; i < w; i++)
        for (int j = 0; j < h; j++)
            imgIn[i][j] = fraction('i', i, j);
}

static void print_array(int w, int h, DATA_TYPE imgOut[w][h])
{
    print_2d("imgOut", w, h, imgOut);
}

static void kernel_deriche(int w, int h, DATA_TYPE alpha, DATA_TYPE imgIn[w][h], DATA_TYPE imgOut[w][h],
                           DATA_TYPE y1[w][h], DATA_TYPE y2[w][h])
{
    int i, j;
    DATA_TYPE xm1, tm1, ym1, ym2;
    DATA_TYPE xp1, xp2;
    DATA_TYPE tp1, tp2;
    DATA_TYPE yp1, yp2;

    DATA_TYPE k;
    DATA_TYPE a1, a2, a3, a4, a5, a6, a7, a8;
    DATA_TYPE b1, b2, c1, c2;

#pragma scop
    k = (SCALAR_VAL(1.0) - EXP_FUN(-alpha)) * (SCALAR_VAL(1.0) - EXP_FUN(-alpha)) /
        (SCALAR_VAL(1.0) + SCALAR_VAL(2.0) * alpha * EXP_FUN(-alpha) - EXP_FUN(SCALAR_VAL(2.0) * alpha));
    a1 = a5 = k;
    a2 = a6 = k * EXP_FUN(-alpha) * (alpha - SCALAR_VAL(1.0));
    a3 = a7 = k * EXP_FUN(-alpha) * (alpha + SCALAR_VAL(1.0));
    a4 = a8 = -k * EXP_FUN(SCALAR_VAL(-2.0) * alpha);
    b1 = POW_FUN(SCALAR_VAL(2.0), -alpha);
    b2 = -EXP_FUN(SCALAR_VAL(-2.0) * alpha);
    c1 = c2 = 1;

    for (i = 0; i < _PB_W; i++) {
        ym1 = SCALAR_VAL(0.0);
        ym2 = SCALAR_VAL(0.0);
        xm1 = SCALAR_VAL(0.0);
        for (j = 0; j < _PB_H; j++) {
            y1[i][j] = a1 * imgIn[i][j] + a2 * xm1 + b1 * ym1 + b2 * ym2;
            xm1 = imgIn[i][j];
            ym2 = ym1;
            ym1 = y1[i][j];
        }
    }

    for (i = 0; i < _PB_W; i++) {
        yp1 = SCALAR_VAL(0.0);
        yp2 = SCALAR_VAL(0.0);
        xp1 = SCALAR_VAL(0.0);
        xp2 = SCALAR_VAL(0.0);
        for (j = _PB_H - 1; j >= 0; j--) {
            y2[i][j] = a3 * xp1 + a4 * xp2 + b1 * yp1 + b2 * yp2;
            xp2 = xp1;
            xp1 = imgIn[i][j];
            yp2 = yp1;
            yp1 = y2[i][j];
        }
    }

    for (i = 0; i < _PB_W; i++)
        for (j = 0; j < _PB_H; j++)
            imgOut[i][j] = c1 * (y1[i][j] + y2[i][j]);

    for (j = 0; j < _PB_H; j++) {
        tm1 = SCALAR_VAL(0.0);
        ym1 = SCALAR_VAL(0.0);
        ym2 = SCALAR_VAL(0.0);
        for (i = 0; i < _PB_W; i++) {
            y1[i][j] = a5 * imgOut[i][j] + a6 * tm1 + b1 * ym1 + b2 * ym2;
            tm1 = imgOut[i][j];
            ym2 = ym1;
            ym1 = y1[i][j];
        }
    }

    for (j = 0; j < _PB_H; j++) {
        tp1 = SCALAR_VAL(0.0);
        tp2 = SCALAR_VAL(0.0);
        yp1 = SCALAR_VAL(0.0);
        yp2 = SCALAR_VAL(0.0);
        for (i = _PB_W - 1; i >= 0; i--) {
            y2[i][j] = a7 * tp1 + a8 * tp2 + b1 * yp1 + b2 * yp2;
            tp2 = tp1;
            tp1 = imgOut[i][j];
            yp2 = yp1;
            yp1 = y2[i][j];
        }
    }

    for (i = 0; i < _PB_W; i++)
        for (j = 0; j < _PB_H; j++)
            imgOut[i][j] = c2 * (y1[i][j] + y2[i][j]);
#pragma endscop
}

int main(int argc, char **argv)
{
    int w = size(argc, argv, 1, 64);
    int h = size(argc, argv, 2, 90);
    DATA_TYPE alpha;
    void *imgIn = array_2d(w, h);
    void *imgOut = array_2d(w, h);
    void *y1 = array_2d(w, h);
    void *y2 = array_2d(w, h);

    init_array(w, h, &alpha, imgIn);
    kernel_deriche(w, h, alpha, imgIn, imgOut, y1, y2);
    print_array(w, h, imgOut);

    free(imgIn);
    free(imgOut);
    free(y1);
    free(y2);
    return 0;
}
