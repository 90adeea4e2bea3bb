const { app, ipcMain } = require('electron')

function save(event, order) {}

ipcMain.handle('order:save', save)
