<?php

use App\Http\Controllers\OrderController;
use Illuminate\Support\Facades\Route;

Route::get('/orders', [OrderController::class, 'index']);
Route::prefix('admin')->group(function () {
    Route::post('/orders/{id}', [OrderController::class, 'update']);
});
Route::resource('photos', PhotoController::class)->only(['index', 'show']);
