#ifndef ORDER_H
#define ORDER_H

struct order;
typedef struct order *order_ref;

order_ref order_open(const char *name);
void order_close(order_ref order);

#endif
