<?php

use App\Controller\OrderController;
use function Pinoox\Router\{collection, get, route};

route(path: '/', action: [OrderController::class, 'home']);
get('/orders', [OrderController::class, 'all']);
