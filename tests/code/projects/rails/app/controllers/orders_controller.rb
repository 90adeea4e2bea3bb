class OrdersController < ApplicationController
  def index
    render "orders/list"
  end
end
