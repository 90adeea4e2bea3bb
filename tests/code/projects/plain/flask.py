app = make()


@app.route("/orders")
def orders():
    return ""
