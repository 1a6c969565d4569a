import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { HttpResponse, http } from 'msw'
import { useState } from 'react'
import { Link } from 'react-router'
import { beforeEach, describe, expect, it } from 'vitest'
import { renderPage } from '../../tests/page'
import { held, logInAs, refusal, serve, server, url } from '../../tests/server'
import { api, dataOf } from '../api/client'
import { reportReached, reportUnreachable } from '../api/connectivity'
import { end } from '../api/session'
import { Button } from '../ui/Button'
import { Checkbox, TextInput } from '../ui/fields'
import { Form } from './Form'
import { FormDialog } from './FormDialog'
import { useAct } from './useAct'
import { filled, useForm } from './useForm'

interface Sent {
  name: string
}

let sent: Sent[]

serve()
beforeEach(() => {
  sent = []
  logInAs()
  reportReached()
  server.use(
    http.post(url('/api/companies'), async ({ request }) => {
      sent.push((await request.json()) as Sent)
      return HttpResponse.json({ id: 'c-9', name: sent.at(-1)?.name }, { status: 201 })
    }),
  )
})

const create = async (body: Sent) => dataOf(await api.POST('/api/companies', { body }))

const EMPTY = { name: '', town: '', well: false }
const RULES = {
  name: filled('Bitte ausfüllen.'),
  town: (town: string, { name }: typeof EMPTY) => town !== '' && town === name && 'Ort und Name sind gleich.',
}

function useSample(onDone: (made: unknown) => void) {
  return useForm({
    initial: EMPTY,
    rules: RULES,
    incomplete: ({ name }) => name === '' && 'Da fehlt etwas.',
    acting: useAct(create, 'Nicht angelegt.'),
    input: ({ name }) => (name === 'nichts' ? null : { name }),
    onDone,
  })
}

function Fields({ form }: { form: ReturnType<typeof useSample> }) {
  return (
    <Form form={form} buttons={<Button type="submit">Senden</Button>}>
      <Inputs form={form} />
    </Form>
  )
}

function Inputs({ form }: { form: ReturnType<typeof useSample> }) {
  return (
    <>
      <TextInput {...form.field('name')} label="Name" />
      <TextInput {...form.field('town')} label="Ort" />
      <Checkbox {...form.tick('well')} label="Gut" />
    </>
  )
}

function Sample() {
  const [made, setMade] = useState('')
  const form = useSample(value => {
    setMade(JSON.stringify(value))
    form.restart()
  })
  return (
    <>
      <Link to="/anderswo">Weg</Link>
      <Fields form={form} />
      <output>{made}</output>
    </>
  )
}

function InDialog() {
  const [open, setOpen] = useState(true)
  const form = useSample(() => setOpen(false))
  if (!open) return <p>Zu</p>
  return (
    <FormDialog title="Neu" form={form} submit="Senden" onClose={() => setOpen(false)}>
      <Inputs form={form} />
    </FormDialog>
  )
}

function KeptField() {
  const [known, setKnown] = useState('')
  return (
    <section>
      <a href="/hilfe">Hilfe</a>
      <Once key={known} onDone={made => setKnown(JSON.stringify(made))} />
    </section>
  )
}

const Once = ({ onDone }: { onDone: (made: unknown) => void }) => <Fields form={useSample(onDone)} />

const field = (name: string) => screen.getByLabelText<HTMLInputElement>(name)
const press = (name: string) => userEvent.click(screen.getByRole('button', { name }))

describe('a form that is sent', () => {
  it('complains at the field, leads there, and asks nobody', async () => {
    renderPage(<Sample />)
    await press('Senden')
    // One sentence, at the field, without a second one in a box.
    expect(screen.getByText('Da fehlt etwas.')).toBeTruthy()
    expect(screen.queryByText('Bitte ausfüllen.')).toBeNull()
    expect(screen.queryByRole('alert')).toBeNull()
    expect(field('Name').getAttribute('aria-invalid')).toBe('true')
    await waitFor(() => expect(document.activeElement).toBe(field('Name')))
    expect(sent).toEqual([])
  })

  it('takes the complaint back from a field that is mended, and looks at all of them together', async () => {
    renderPage(<Sample />)
    await press('Senden')
    await userEvent.type(field('Name'), 'Holm')
    expect(screen.queryByText('Bitte ausfüllen.')).toBeNull()
    await userEvent.type(field('Ort'), 'Holm')
    await press('Senden')
    expect(screen.getByText('Ort und Name sind gleich.')).toBeTruthy()
    await waitFor(() => expect(document.activeElement).toBe(field('Ort')))
    expect(sent).toEqual([])
  })

  it('hands on what was made, and is empty for the next', async () => {
    renderPage(<Sample />)
    await userEvent.type(field('Name'), 'Holm{Enter}')
    expect(await screen.findByText('{"id":"c-9","name":"Holm"}')).toBeTruthy()
    expect(field('Name').value).toBe('')
    expect(sent).toEqual([{ name: 'Holm' }])
  })

  it('that begins anew with what was saved leaves the focus near', async () => {
    renderPage(<KeptField />)
    await userEvent.type(field('Name'), 'Holm')
    await press('Senden')
    await waitFor(() => expect(field('Name').value).toBe(''))
    await waitFor(() => expect(document.activeElement?.textContent).toBe('Hilfe'))
  })

  it('says at the field what the service says of it, leads there, and says the rest once above', async () => {
    server.use(
      http.post(url('/api/companies'), () =>
        refusal(422, 'Bitte prüfe die Eingaben.', {
          errors: [{ field: 'town', message: 'Den Ort gibt es nicht.' }],
        }),
      ),
    )
    renderPage(<Sample />)
    await userEvent.type(field('Name'), 'Holm')
    await press('Senden')
    expect(await screen.findByText('Den Ort gibt es nicht.')).toBeTruthy()
    expect(screen.getByRole('alert').textContent).toBe('Nicht angelegt.')
    await waitFor(() => expect(document.activeElement).toBe(field('Ort')))
    await userEvent.type(field('Ort'), 'x')
    expect(screen.queryByText('Den Ort gibt es nicht.')).toBeNull()
    expect(field('Name').value).toBe('Holm')
  })

  it('says above the button what is wrong with what it has no field for, each once', async () => {
    const errors = [0, 1].map(place => ({ field: `items.${place}.day`, message: 'Den Tag gibt es nicht.' }))
    server.use(http.post(url('/api/companies'), () => refusal(422, 'Ungültige Eingabe.', { errors })))
    renderPage(<Sample />)
    await userEvent.type(field('Name'), 'Holm')
    await press('Senden')
    expect((await screen.findByRole('alert')).textContent).toBe('Nicht angelegt.Den Tag gibt es nicht.')
  })

  it('says above the button what is wrong with none of its fields', async () => {
    server.use(http.post(url('/api/companies'), () => refusal(409, 'Die Firma gibt es schon.')))
    renderPage(<Sample />)
    await userEvent.type(field('Name'), 'Holm')
    await press('Senden')
    expect((await screen.findByRole('alert')).textContent).toBe('Nicht angelegt.Die Firma gibt es schon.')
  })

  it('is sent once, however often the button is pressed', async () => {
    const { answer, release } = held(() => HttpResponse.json({ id: 'c-9', name: 'Holm' }, { status: 201 }))
    let submitCount = 0
    server.use(
      http.post(url('/api/companies'), () => {
        submitCount += 1
        return answer()
      }),
    )
    renderPage(<Sample />)
    await userEvent.type(field('Name'), 'Holm')
    await press('Senden')
    await press('Senden')
    release()
    await screen.findByText('{"id":"c-9","name":"Holm"}')
    expect(submitCount).toBe(1)
  })

  it('with nothing to send is done without asking', async () => {
    renderPage(<Sample />)
    await userEvent.type(field('Name'), 'nichts{Enter}')
    expect(await screen.findByText('null')).toBeTruthy()
    expect(sent).toEqual([])
  })
})

describe('a form without the service', () => {
  it('takes nothing, unless somebody is in the middle of it', async () => {
    renderPage(<Sample />)
    const group = field('Name').closest('fieldset')
    reportUnreachable()
    await waitFor(() => expect(group?.disabled).toBe(true))
    reportReached()
    await waitFor(() => expect(group?.disabled).toBe(false))
    await userEvent.type(field('Name'), 'Ho')
    reportUnreachable()
    await userEvent.type(field('Name'), 'lm')
    expect(field('Name').value).toBe('Holm')
    expect(group?.disabled).toBe(false)
  })
})

describe('what was typed and not saved', () => {
  it('is asked for before the page is left, and stays if that is wanted', async () => {
    const { where } = renderPage(<Sample />)
    await userEvent.type(field('Name'), 'Holm')
    await userEvent.click(screen.getByRole('link', { name: 'Weg' }))
    await screen.findByRole('dialog', { name: 'Nicht gespeicherte Änderungen' })
    expect(where()).toBe('/')
    await press('Weiter bearbeiten')
    expect(where()).toBe('/')
    expect(field('Name').value).toBe('Holm')
  })

  it('goes when it is given up', async () => {
    const { where } = renderPage(<Sample />)
    await userEvent.type(field('Name'), 'Holm')
    await userEvent.click(screen.getByRole('link', { name: 'Weg' }))
    await screen.findByRole('dialog', { name: 'Nicht gespeicherte Änderungen' })
    await press('Verwerfen')
    await waitFor(() => expect(where()).toBe('/anderswo'))
  })

  it('holds nobody whose fields stand as they began, who has saved, or who is logged out', async () => {
    const { where, go } = renderPage(<Sample />)
    await userEvent.type(field('Name'), 'Holm')
    await userEvent.clear(field('Name'))
    go('/eins')
    expect(where()).toBe('/eins')
    await userEvent.type(field('Name'), 'Holm{Enter}')
    await screen.findByText('{"id":"c-9","name":"Holm"}')
    go('/zwei')
    expect(where()).toBe('/zwei')
    await userEvent.type(field('Name'), 'Holm')
    end('logout')
    go('/drei')
    expect(where()).toBe('/drei')
  })

  it('keeps a dialog open until it is given up, by the key, the cross and its own button', async () => {
    renderPage(<InDialog />)
    await userEvent.type(await screen.findByLabelText('Name'), 'Holm')
    await userEvent.keyboard('{Escape}')
    await screen.findByRole('dialog', { name: 'Nicht gespeicherte Änderungen' })
    await press('Weiter bearbeiten')
    expect(field('Name').value).toBe('Holm')
    await press('Abbrechen')
    await screen.findByRole('dialog', { name: 'Nicht gespeicherte Änderungen' })
    await press('Verwerfen')
    expect(await screen.findByText('Zu')).toBeTruthy()
  })

  it('is nothing in a dialog that nobody has typed in', async () => {
    renderPage(<InDialog />)
    await screen.findByLabelText('Name')
    await userEvent.keyboard('{Escape}')
    expect(await screen.findByText('Zu')).toBeTruthy()
  })
})
