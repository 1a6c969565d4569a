/** Ports for servers of these tests, perhaps again and again: no other program is given them while the tests run. */
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

const PYTHON = join(import.meta.dirname, '../../../.venv/bin/python')
/** To hold a port without listening there is something that Node cannot do. It ends with its standard input. */
const HOLDER = `
import sys
from stempelwerk_tools.ports import reserved_port
for _ in sys.stdin:
    print(reserved_port(), flush=True)
`

function hold() {
  const { stdin, stdout } = spawn(PYTHON, ['-c', HOLDER], { stdio: ['pipe', 'pipe', 'inherit'] })
  return { asks: stdin, answers: createInterface({ input: stdout })[Symbol.asyncIterator]() }
}

let holder: ReturnType<typeof hold> | undefined

export async function reservedPort(): Promise<number> {
  holder ??= hold()
  holder.asks.write('\n')
  const { value, done } = await holder.answers.next()
  if (done) throw new Error('nobody holds ports')
  return Number(value)
}
