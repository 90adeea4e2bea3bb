from django.urls import include, path, re_path
from shop import views

urlpatterns = [
    path("orders/", views.orders, name="orders"),
    path("orders/<int:pk>/", views.OrderView.as_view()),
    re_path(r"^archive/$", views.archive),
    path("api/", include("shop.api")),
]
