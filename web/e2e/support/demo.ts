/** The real demo on ports and in a folder of its own: service, clock with its simulated reader, and their commands. */
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import type { Page } from '@playwright/test'

const ROOT = join(import.meta.dirname, '../../..')
const READY = 'Bereit nach'
const START_MS = 120_000
const MAIL_MS = 60_000

/** The demo's company, and the password of all its users. */
export const COMPANY = 'Tischlerei Holm'
export const PASSWORD = 'Hobelbank26'

const environment = { ...process.env, PATH: [join(ROOT, '.venv/bin'), process.env.PATH].join(delimiter) }
const run = promisify(execFile)

export class Demo {
  readonly cloud: string
  readonly clock: string
  private readonly folder: string
  private readonly process: ChildProcess

  private constructor(cloud: string, clock: string, folder: string, process: ChildProcess) {
    this.cloud = cloud
    this.clock = clock
    this.folder = folder
    this.process = process
  }

  /** Resolves once everything is up; rejects with what the demo printed if it gives up. */
  static async start(): Promise<Demo> {
    const folder = await mkdtemp(join(tmpdir(), 'stempelwerk-story-'))
    const child = spawn('stempelwerk', ['demo', '--dir', folder, '--port', '0', '--clock-port', '0'], {
      cwd: ROOT,
      env: environment,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let printed = ''
    await new Promise<void>((resolve, reject) => {
      const limit = setTimeout(() => reject(new Error(`the demo is not up:\n${printed}`)), START_MS)
      const hear = (chunk: Buffer) => {
        printed += chunk
        if (printed.includes(READY)) {
          clearTimeout(limit)
          resolve()
        }
      }
      child.stdout?.on('data', hear)
      child.stderr?.on('data', hear)
      child.on('exit', status => reject(new Error(`the demo ended with ${status}:\n${printed}`)))
      child.on('error', reject)
    })
    const [cloud, clock] = [/Im Browser +(\S+)\//, /Die Uhr +(\S+)\//].map(found => found.exec(printed)?.[1])
    if (cloud === undefined || clock === undefined) throw new Error(`no addresses:\n${printed}`)
    return new Demo(cloud, clock, folder, child)
  }

  /** Holds a tag to the clock's reader, as `make tap` does. */
  async tap(tag: string): Promise<void> {
    await this.command('tap', tag)
  }

  /** Holds it to the portable scanner in the base, as `make tap SCANNER=1` does, until the clock has it. */
  async tapOnScanner(tag: string): Promise<void> {
    await this.command('tap', '--scanner', tag)
  }

  async order(order: 'stop-cloud' | 'start-cloud'): Promise<void> {
    await this.command('demo', order)
  }

  /** How many mails the demo's catcher has kept. */
  async mails(): Promise<number> {
    return (await this.mailFiles()).length
  }

  /** Describes what the service's database holds, in words. */
  async ground(): Promise<string> {
    const url = `sqlite:///${join(this.folder, 'cloud', 'stempelwerk.db')}`
    const { stdout } = await run('python', ['-m', 'stempelwerk_tools.bench.ground', url], {
      cwd: ROOT,
      env: environment,
    })
    return stdout.trim()
  }

  /** The code in a mail that comes after the first `known`; also others may come. */
  async codeAfter(known: number): Promise<string> {
    for (const end = Date.now() + MAIL_MS; Date.now() < end; await sleep(100)) {
      for (const file of (await this.mailFiles()).slice(known)) {
        const [, ...body] = (await readFile(file, 'utf8')).replaceAll('\r\n', '\n').split('\n\n')
        const code = /\b\d{6}\b/.exec(body.join('\n'))?.[0]
        if (code !== undefined) return code
      }
    }
    throw new Error('no code came')
  }

  /** Goes to a page that needs a login, passes the login with the mailed code, and waits for the page's heading. */
  async logIn(page: Page, username: string, path: string, heading: string): Promise<void> {
    await page.goto(this.cloud + path)
    await page.getByRole('button', { name: 'Login' }).click()
    await page.getByLabel('Firmenname').fill(COMPANY)
    await page.getByLabel('Benutzername').fill(username)
    await page.getByLabel('Passwort', { exact: true }).fill(PASSWORD)
    const knownMails = await this.mails()
    await page.getByRole('button', { name: 'Einloggen' }).click()
    await page.getByLabel('6-stelliger E-Mail-Code').fill(await this.codeAfter(knownMails))
    await page.getByRole('button', { name: 'Bestätigen' }).click()
    await page.getByRole('heading', { name: heading, level: 1 }).waitFor()
  }

  private async mailFiles(): Promise<string[]> {
    const folder = join(this.folder, 'mails')
    return (await readdir(folder))
      .filter(name => name.endsWith('.eml'))
      .sort()
      .map(name => join(folder, name))
  }

  async stop(): Promise<void> {
    const exited = new Promise(resolve => this.process.once('exit', resolve))
    if (this.process.exitCode === null) {
      this.process.kill('SIGINT')
      await exited
    }
    await rm(this.folder, { recursive: true, force: true })
  }

  private async command(tool: string, ...words: string[]): Promise<void> {
    await run('stempelwerk', [tool, '--dir', this.folder, ...words], {
      cwd: ROOT,
      env: environment,
      timeout: 100_000,
    })
  }
}
