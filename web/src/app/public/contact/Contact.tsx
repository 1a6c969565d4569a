/**
 * The contact form. By default its button sends nothing, and the page states that; an installation with an address for
 * inquiries receives them. The form's method is "dialog": without JavaScript, or before the app has loaded, no browser
 * sends anything or puts the input into an address.
 */
import { type FormEvent, useRef, useState } from 'react'
import { useLocation } from 'react-router'
import { isKept } from '../../../api/version'
import { Button } from '../../../ui/Button'
import { ErrorNotice, type Failure, Notice } from '../../../ui/Notice'
import { GivenLink, OperatorFact } from '../parts/OperatorFact'
import parts from '../parts/parts.module.css'
import { PRODUCTS } from '../shop/products'
import { useSite } from '../site'
import classes from './Contact.module.css'
import { FAILED, OUTDATED } from './texts'

type Name = 'name' | 'email' | 'nachricht'
type Complaints = Partial<Record<Name, string>>

const MISSING: Record<Name, string> = {
  name: 'Bitte gib deinen Namen an.',
  email: 'Bitte gib deine E-Mail-Adresse an.',
  nachricht: 'Bitte schreib eine Nachricht.',
}

export function Contact() {
  const site = useSite()
  const real = site?.inquiries === true
  const topic = useAskedFor()
  const form = useRef<HTMLFormElement>(null)
  const [busy, setBusy] = useState(false)
  const [complaints, setComplaints] = useState<Complaints>({})
  const [failure, setFailure] = useState<Failure | null>(null)
  const [sentTo, setSentTo] = useState<string | null>(null)

  const complain = (found: Complaints) => {
    setComplaints(found)
    const first = (Object.keys(MISSING) as Name[]).find(name => found[name] !== undefined)
    if (first !== undefined) (form.current?.elements.namedItem(first) as HTMLElement | null)?.focus()
  }

  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (!real || busy || form.current === null) return
    const typed = new FormData(form.current)
    const fields = { name: '', email: '', nachricht: '' }
    for (const name of Object.keys(fields) as Name[]) fields[name] = textOf(typed.get(name))
    setFailure(null)
    const missing = Object.entries(MISSING).filter(([name]) => fields[name as Name] === '')
    complain(Object.fromEntries(missing))
    if (missing.length > 0) return
    setBusy(true)
    try {
      const { sendMessage } = await import('./send')
      const refused = await sendMessage(fields)
      if (refused === null) return setSentTo(fields.email)
      complain(refused.fields)
      if (Object.keys(refused.fields).length === 0) setFailure(refused.failure)
    } catch (cause) {
      const detail = (await isKept(cause)) === false ? OUTDATED : 'Server nicht erreichbar.'
      setFailure({ title: FAILED, detail })
    } finally {
      setBusy(false)
    }
  }

  const field = (name: Name) => ({
    id: `contact-${name}`,
    name,
    'aria-invalid': complaints[name] === undefined ? undefined : true,
    'aria-describedby': complaints[name] === undefined ? undefined : `contact-${name}-wrong`,
  })
  const wrong = (name: Name) =>
    complaints[name] !== undefined && (
      <p id={`contact-${name}-wrong`} className={classes.wrong}>
        {complaints[name]}
      </p>
    )

  return (
    <div className={classes.sides}>
      <div className={classes.words}>
        <h1 className={parts.heroTitle}>Kontakt</h1>
        <p className={parts.lead}>
          Wie viele Türen, wie viele Leute, was nervt am meisten? Drei Sätze reichen für eine Antwort, mit der
          du etwas anfangen kannst.
        </p>
        <address className={classes.address}>
          <p>
            <strong>
              <OperatorFact name="name" />
            </strong>
            <br />
            <OperatorFact name="street" />
            <br />
            <OperatorFact name="city" />
          </p>
          <dl>
            <dt>E-Mail</dt>
            <dd>
              <GivenLink name="email" />
            </dd>
            <dt>Telefon</dt>
            <dd>
              <GivenLink name="phone" />
            </dd>
          </dl>
        </address>
      </div>
      {sentTo !== null ? (
        <div className={classes.form}>
          <Notice live="polite" title="Deine Nachricht ist da.">
            <p>Wir antworten an {sentTo}.</p>
          </Notice>
        </div>
      ) : (
        <form ref={form} className={classes.form} method="dialog" onSubmit={submit} noValidate>
          <div className={classes.field}>
            <label htmlFor="contact-name">Name</label>
            <input {...field('name')} placeholder="Ihr Name" autoComplete="name" maxLength={200} />
            {wrong('name')}
          </div>
          <div className={classes.field}>
            <label htmlFor="contact-email">E-Mail</label>
            <input
              {...field('email')}
              // A plain text field if it is really sent: in a mail field Chromium turns straße.de into strasse.de.
              type={real ? 'text' : 'email'}
              inputMode="email"
              placeholder="Ihre E-Mail"
              autoComplete="email"
              autoCapitalize="none"
              spellCheck={false}
            />
            {wrong('email')}
          </div>
          <div className={classes.field}>
            <label htmlFor="contact-nachricht">Nachricht</label>
            <textarea
              {...field('nachricht')}
              key={topic}
              rows={5}
              placeholder="Ihre Nachricht"
              maxLength={5_000}
              defaultValue={topic}
            />
            {wrong('nachricht')}
          </div>
          {failure !== null && <ErrorNotice failure={failure} />}
          <noscript>
            <p>Ohne JavaScript sendet dieses Formular nichts: Schreib uns bitte eine E-Mail oder ruf an.</p>
          </noscript>
          <div className={classes.send}>
            <Button type="submit" look="primary" busy={busy}>
              Senden
            </Button>
            <p className={classes.note} data-hidden={String(site?.inquiries ?? true)}>
              Noch ist dieses Formular nicht angeschlossen: Der Knopf sendet nichts. Schreib uns bitte eine
              E-Mail oder ruf an.
            </p>
          </div>
        </form>
      )}
    </div>
  )
}

/** Normalises line ends, which differ between browsers. */
const textOf = (value: FormDataEntryValue | null) =>
  String(value ?? '')
    .replace(/\r\n?/g, '\n')
    .trim()

/** The subject, if a product page in the shop links here. */
function useAskedFor(): string {
  const { search } = useLocation()
  const product = PRODUCTS.find(({ id }) => id === new URLSearchParams(search).get('produkt'))
  return product === undefined ? '' : `Ich interessiere mich für ${product.title} (${product.subtitle}).`
}
