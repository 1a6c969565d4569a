/** The clock's touchscreen page: no router, no Mantine; served by the clock itself, built into dist/kiosk. */
import { resolve } from 'node:path'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

export default defineConfig({
  root: resolve(import.meta.dirname, 'src/kiosk'),
  publicDir: false,
  plugins: [react()],
  build: {
    outDir: resolve(import.meta.dirname, 'dist/kiosk'),
    emptyOutDir: true,
    target: 'es2022',
    assetsInlineLimit: 0,
  },
  server: {
    proxy: Object.fromEntries(
      ['/events', '/choice', '/answer', '/dismiss'].map(path => [path, 'http://127.0.0.1:8090']),
    ),
  },
})
