import { Controller, Get, Injectable, Param, Post } from '@nestjs/common'

@Controller('orders')
export class OrdersController {
  @Get()
  list() {
    return []
  }

  @Unknown('x')
  @Post(':id/pay')
  pay(@Param('id') id: string) {
    return id
  }
}

@Injectable()
export class Store {}
