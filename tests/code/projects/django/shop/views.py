from django.shortcuts import render
from django.views.generic import DetailView


def orders(request):
    return render(request, "shop/orders.html", {"n": 1})


class OrderView(DetailView):
    model = None
