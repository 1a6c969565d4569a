/** The gallery: every part in every state, for who works on them and for their pictures. Built into dist/gallery, never shipped. */
import { resolve } from 'node:path'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

export default defineConfig({
  root: resolve(import.meta.dirname, 'src/gallery'),
  publicDir: false,
  // What it has no page for it does not have, the service included.
  appType: 'mpa',
  plugins: [react()],
  build: {
    outDir: resolve(import.meta.dirname, 'dist/gallery'),
    emptyOutDir: true,
    target: 'es2022',
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 1_000,
  },
})
