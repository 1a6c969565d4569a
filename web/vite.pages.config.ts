/** The public pages' writer: runs once, after the app is built, and is not shipped (`codegen/prerender.mjs`). */
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { assetFileNames } from './vite.app.config.ts'

export default defineConfig({
  plugins: [react()],
  publicDir: false,
  build: {
    ssr: 'src/app/public/prerender.tsx',
    outDir: 'dist/pages',
    emptyOutDir: true,
    target: 'node22',
    assetsInlineLimit: 0,
    rolldownOptions: { output: { assetFileNames } },
  },
})
