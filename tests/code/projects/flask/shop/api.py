from flask import Blueprint, render_template

bp = Blueprint("orders", __name__, url_prefix="/api/orders")


@bp.route("/", methods=["GET", "POST"])
def orders():
    return render_template("orders/list.html")


@bp.get("/<int:order>")
def one(order):
    return {}


def remove(order):
    return ""


bp.add_url_rule("/<int:order>/remove", "remove", remove)
