#include <stdio.h>
#include "store.h"

#define LIMIT 10
#define LARGER(a, b) ((a) > (b) ? (a) : (b))
#ifndef GUARD
#define GUARD
#endif

/* What is kept. */
typedef struct order {
    int count;
    struct line *first;
    char name[LIMIT];
    int (*price)(struct order *, int);
} order_t;

struct line {
    int left;
    unsigned open : 1;
};

enum level { LOW, HIGH = 2 };

typedef enum { RED, GREEN } color;
typedef struct { int x, y; } point;
typedef unsigned long amount;
typedef int (*hook)(int, void *);

union number {
    int whole;
    float part;
};

static const int most = 3;
const char *names[] = {"a", "b"};
extern int version;

static int add(order_t *order, int count);
struct line *line_make(const char *name, int count);

struct line *
line_make(const char *name, int count)
{
    struct line *made = malloc(sizeof(struct line));
    order_t order = {.count = 3};
    order.price(&order, LARGER(count, 1));
    made->next->left = add(&order, count);
    printf("%s %d", name, count); // told once
    return made;
}

static int add(order_t *order, int count) { return order->count += count; }

#ifdef WIDE
static amount width(void) { return 8; }
#endif

int main(void)
{
    return 0;
}
