/**
 * The real service with an embedded database of its own, and a real mailbox: aiosmtpd takes every mail that the service
 * sends by SMTP and puts it into a maildir, where a test reads the code as a person would. Without mail a login has no
 * second step.
 */
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { existsSync, rmSync } from 'node:fs'
import { cp, mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { expect, type Page } from '@playwright/test'
import { reservedPort } from './ports'
import { comeBack, type Session } from './test'

const ROOT = join(import.meta.dirname, '../../..')
const PATH = [join(ROOT, '.venv/bin'), process.env.PATH].join(delimiter)

export const FOUNDER = { company: 'Plattform', username: 'root', password: 'ein langer Satz fuer root' }

/** On a busy machine a service takes its time to begin. */
const PATIENT = { timeout: 60_000 }

export interface Login {
  company: string
  username: string
  password: string
}

export interface Person extends Login {
  id: string
}

export class Cloud {
  url = ''
  private folder = ''
  private port = 0
  private environment: Record<string, string> = {}
  private serving: ChildProcess | null = null
  private readonly children: ChildProcess[] = []
  private readonly read = new Set<string>()
  private founder = ''
  private tags = 0
  firm = { id: '', name: '' }

  constructor(private readonly mail = true) {}

  async start(): Promise<void> {
    this.folder = await mkdtemp(join(tmpdir(), 'stempelwerk-login-'))
    const mail = await reservedPort()
    this.port = await reservedPort()
    this.url = `http://localhost:${this.port}`
    if (this.mail) {
      this.run('python', ['-m', 'aiosmtpd', '-n', '-l', `127.0.0.1:${mail}`, '-c', MAILBOX, this.maildir])
    }
    this.environment = {
      ...storedIn(this.folder),
      ...(this.mail && { STEMPELWERK_SMTP_URL: `smtp://127.0.0.1:${mail}` }),
    }
    await cp(await emptyInstallation(), this.folder, { recursive: true })
    await this.serve()
    if (this.mail) await expect.poll(() => listens(mail), PATIENT).toBe(true)
    this.founder = await this.logInFounder()
    await this.makeCompany('Tischlerei Holm')
  }

  /** Makes a company; all people made afterwards belong to it. */
  async makeCompany(name: string): Promise<void> {
    this.firm = { name, id: (await this.call('POST', '/api/companies', { name })).id as string }
    this.tags = 0
  }

  /** Kills the process without a shutdown. */
  async kill(): Promise<void> {
    const exited = new Promise(resolve => this.serving?.once('exit', resolve))
    this.serving?.kill('SIGKILL')
    await exited
  }

  /** On the same port, with the same database. */
  async serve(): Promise<void> {
    this.serving = this.run('stempelwerk-cloud', ['serve', '--port', String(this.port)], this.environment)
    await expect.poll(() => listens(this.port), PATIENT).toBe(true)
  }

  async stop(): Promise<void> {
    const alive = this.children.filter(child => child.exitCode === null && child.signalCode === null)
    const exits = alive.map(child => new Promise(resolve => child.once('exit', resolve)))
    for (const child of alive) child.kill('SIGTERM')
    await Promise.all(exits)
    await rm(this.folder, { recursive: true, force: true })
  }

  /** A new person of the company, whose password is their own. */
  async person(username: string, role: 'user' | 'companyAdmin' = 'user'): Promise<Person> {
    this.tags += 1
    const password = `Hobelbank von ${username}`
    const tagId = `04${String(this.tags).padStart(12, '0')}`
    const body = { companyId: this.firm.id, username, password, tagId, role }
    const { id } = await this.call('POST', '/api/users', body)
    return { company: this.firm.name, username, password, id: id as string }
  }

  /** Opens the page as a returning user, with a session in the browser's storage. Works only without mail. */
  async enter(page: Page, person: Login, path: string): Promise<void> {
    await comeBack(page, this.url + path, await this.logIn(person))
  }

  /** Returns a session as a page stores it. Works only without mail. */
  async logIn({ company, username, password }: Login): Promise<Session> {
    const login = { company, username, password }
    const { token, role, userId, companyId } = await this.call('POST', '/api/login', login)
    return { token, role, username, companyId, userId } as Session
  }

  /** Creates an employee's duty, with times. */
  async duty({ id }: Person, date: string, start: string, end: string): Promise<void> {
    await this.call('POST', `/api/companies/${this.firm.id}/schedule`, { userId: id, date, start, end })
  }

  /** The password that opens nothing but the choice of another. */
  async resetPassword({ id }: Person): Promise<string> {
    return (await this.call('PUT', `/api/users/${id}/password-reset`)).password as string
  }

  /** Gives each employee of the company that many days of vacation a year. */
  async giveVacation(days: number): Promise<void> {
    const body = { mode: 'uniform', uniformDays: days }
    await this.call('PUT', `/api/companies/${this.firm.id}/vacation-policy`, body)
  }

  async lock({ id }: Person): Promise<void> {
    await this.call('PUT', `/api/users/${id}/lock`)
  }

  /** Returns the code in the next unread mail to that address. */
  async codeFor(address: string): Promise<string> {
    let code = ''
    await expect
      .poll(async () => {
        code = (await this.unread(address)) ?? ''
        return code
      })
      .toMatch(/^\d{6}$/)
    return code
  }

  /** How many mails that address ever got. */
  async mailsTo(address: string): Promise<number> {
    const mails = await Promise.all((await this.mails()).map(file => readFile(file, 'utf8')))
    return mails.filter(mail => isTo(mail, address)).length
  }

  private async unread(address: string): Promise<string | null> {
    for (const file of await this.mails()) {
      const mail = await readFile(file, 'utf8')
      if (this.read.has(file) || !isTo(mail, address)) continue
      this.read.add(file)
      return /\b\d{6}\b/.exec(bodyOf(mail))?.[0] ?? null
    }
    return null
  }

  private async mails(): Promise<string[]> {
    const folder = join(this.maildir, 'new')
    return existsSync(folder) ? (await readdir(folder)).sort().map(name => join(folder, name)) : []
  }

  private get maildir(): string {
    return join(this.folder, 'mails')
  }

  private async logInFounder(): Promise<string> {
    const address = 'root@stempelwerk.example'
    const { temp_token, token } = await this.call('POST', '/api/login', FOUNDER)
    if (token !== undefined) return token as string
    await this.call('POST', '/api/auth/email/start', { temp_token, email: address })
    const code = await this.codeFor(address)
    return (await this.call('POST', '/api/auth/email/verify', { temp_token, code })).token as string
  }

  /** Makes calls as that user, which answer lists. Works only without mail. */
  async as(person: Person) {
    const { token } = await this.logIn(person)
    return async (method: string, path: string, body?: object) =>
      (await this.call(method, path, body, token)) as unknown as Record<string, unknown>[]
  }

  private async call(
    method: string,
    path: string,
    body?: object,
    token = this.founder,
  ): Promise<Record<string, unknown>> {
    const answer = await fetch(this.url + path, {
      method,
      headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${token}` },
      body: body === undefined ? null : JSON.stringify(body),
    })
    const reply = (await answer.json()) as Record<string, unknown>
    if (!answer.ok) throw new Error(`${method} ${path}: ${JSON.stringify(reply)}`)
    return reply
  }

  private run(command: string, words: string[], environment: Record<string, string> = {}) {
    const child = spawn(command, words, {
      cwd: ROOT,
      env: { ...process.env, PATH, ...environment },
      stdio: 'ignore',
    })
    this.children.push(child)
    return child
  }
}

const storedIn = (folder: string) => ({
  STEMPELWERK_DATABASE_URL: `sqlite:///${join(folder, 'stempelwerk.db')}`,
  STEMPELWERK_DATA_DIR: join(folder, 'data'),
})

let empty: Promise<string> | undefined

/** The folder of an installation with a founder, to be copied: to make one costs as much as a service's start. */
function emptyInstallation(): Promise<string> {
  empty ??= makeEmptyInstallation()
  return empty
}

async function makeEmptyInstallation(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'stempelwerk-empty-'))
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  await new Promise<void>((resolve, reject) => {
    const child = execFile(
      'stempelwerk-cloud',
      ['create-founder', '--username', FOUNDER.username, '--password-stdin'],
      { cwd: ROOT, env: { ...process.env, PATH, ...storedIn(folder) } },
      error => (error === null ? resolve() : reject(error)),
    )
    child.stdin?.end(`${FOUNDER.password}\n`)
  })
  return folder
}

const MAILBOX = 'aiosmtpd.handlers.Mailbox'

const isTo = (mail: string, address: string) =>
  new RegExp(`^(?:To|X-RcptTo): .*${address.replaceAll('.', '\\.')}`, 'im').test(mail)

function bodyOf(mail: string): string {
  const [, ...rest] = mail.replaceAll('\r\n', '\n').split('\n\n')
  const body = rest.join('\n\n')
  return /^Content-Transfer-Encoding: base64/im.test(mail) ? Buffer.from(body, 'base64').toString() : body
}

function listens(port: number): Promise<boolean> {
  return new Promise(resolve => {
    const socket = connect(port, '127.0.0.1')
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false))
    socket.once('connect', () => socket.destroy())
  })
}
