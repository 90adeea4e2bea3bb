<?php

namespace App\Controller;

use Symfony\Bundle\FrameworkBundle\Controller\AbstractController;
use Symfony\Component\Routing\Attribute\Route;

#[Route('/orders')]
class OrderController extends AbstractController
{
    #[Route('/{id}', name: 'order', methods: ['GET'])]
    public function show(int $id)
    {
        return $this->render('orders/show.html.twig');
    }
}
