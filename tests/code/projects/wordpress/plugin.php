<?php

add_action('init', 'shop_start');
add_shortcode('orders', 'shop_orders');
register_rest_route('shop/v1', '/orders', array('methods' => 'POST', 'callback' => 'shop_create'));

function shop_start() {}
function shop_create() {}
