/** The web app: installable, served by the service at `/`, built into dist/app. */
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { VitePWA } from 'vite-plugin-pwa'
import { of } from './chunks.ts'
import { filesOfOffice } from './codegen/precache.ts'

/** Pictures stand apart: the worker does not keep them for later. */
export const assetFileNames = ({ originalFileNames: [source = ''] }: { originalFileNames: string[] }) =>
  /\/(pictures|shots)\//.test(source)
    ? 'assets/pictures/[name]-[hash][extname]'
    : 'assets/[name]-[hash:6][extname]'

export default defineConfig({
  plugins: [
    react(),
    VitePWA({
      strategies: 'injectManifest',
      srcDir: 'src',
      filename: 'sw.ts',
      injectRegister: false,
      injectManifest: {
        globPatterns: ['**/*.{js,css,svg,png,woff2}', 'index.html'],
        globIgnores: ['assets/pictures/**', 'cards/**'],
        manifestTransforms: [
          entries => {
            const office = filesOfOffice('dist/app')
            return { manifest: entries.filter(({ url }) => !office.has(url)) }
          },
        ],
      },
      manifest: {
        id: '/',
        name: 'Stempelwerk',
        short_name: 'Stempelwerk',
        description: 'Deine Arbeitszeiten, immer dabei.',
        lang: 'de',
        dir: 'ltr',
        start_url: '/',
        scope: '/',
        display: 'standalone',
        background_color: '#fbfaf8',
        theme_color: '#fbfaf8',
        categories: ['business', 'productivity'],
        icons: [
          { src: '/icon-192.png', sizes: '192x192', type: 'image/png' },
          { src: '/icon-512.png', sizes: '512x512', type: 'image/png' },
          { src: '/icon-maskable-512.png', sizes: '512x512', type: 'image/png', purpose: 'maskable' },
          { src: '/icon.svg', sizes: 'any', type: 'image/svg+xml' },
        ],
      },
    }),
  ],
  build: {
    outDir: 'dist/app',
    emptyOutDir: true,
    target: 'es2022',
    assetsInlineLimit: 0,
    manifest: true,
    rolldownOptions: {
      // No module of ours or of others has a getter that does anything when it is read: what nobody uses can go.
      treeshake: { propertyReadSideEffects: false, unknownGlobalSideEffects: false },
      output: {
        assetFileNames,
        codeSplitting: {
          groups: [
            { name: 'shell', tags: ['$initial'], priority: 3 },
            { name: 'hub', test: of('hub'), priority: 1 },
            { name: 'areas', test: of('areas') },
            { name: 'both', test: of('both'), priority: 2 },
            { name: 'public', test: of('public'), priority: 1 },
            { name: 'dressed', test: of('dressed'), priority: 1 },
            { name: 'first', test: of('first') },
            { name: 'MyTimes', test: of('times') },
            // How the log speaks of what is decided: wanted together, and squeezed better so; but what it shares with
            // a page, which needs no more of it.
            { name: 'auditTexts', test: /\/features\/[^/]+\/auditTexts\.ts$/ },
            { name: 'flags', test: /\/entities\/entries\/texts\.ts$/, priority: 1 },
            { name: 'alarmTexts', test: /\/entities\/alarms\/texts\.ts$/, priority: 1 },
            { name: 'supportTexts', test: /\/features\/support\/texts\.ts$/, priority: 1 },
          ],
        },
      },
    },
  },
  server: { proxy: { '/api': 'http://127.0.0.1:8000', '/.well-known': 'http://127.0.0.1:8000' } },
})
