/** Writes the project's CHANGELOG.md from the data of the page "Updates"; with --check it fails when that would differ. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const here = import.meta.dirname
const source = join(here, '../src/app/public/releases/releases.json')
const target = join(here, '../../CHANGELOG.md')

const releases = JSON.parse(readFileSync(source, 'utf8'))
const dayOf = date => date.split('-').reverse().join('.')
const parts = releases
  .toSorted((one, other) => other.date.localeCompare(one.date))
  .map(
    ({ version, date, title, changes }) =>
      `## ${version} (${dayOf(date)}): ${title}\n\n${changes.map(change => `- ${change}\n`).join('')}`,
  )
const wanted = `# Änderungen\n\nDie Seite „Updates“ zeigt dasselbe; beide entstehen aus \`web/src/app/public/releases/releases.json\`.\n\n${parts.join('\n')}`

if (process.argv.includes('--check')) {
  if (!existsSync(target) || readFileSync(target, 'utf8') !== wanted) {
    console.error('CHANGELOG.md is not what releases.json says: run `npm run generate`.')
    process.exit(1)
  }
} else {
  writeFileSync(target, wanted)
}
