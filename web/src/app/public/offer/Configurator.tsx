/**
 * Composes an offer with its price. An installation with an address for inquiries sends it; by default nothing is sent,
 * and the form states that.
 */
import { useEffect, useRef } from 'react'
import { anonymous, dataOf } from '../../../api/client'
import { euros, offerTotal, PRICES } from '../../../entities/offer/prices'
import { Form } from '../../../patterns/Form'
import { succeed } from '../../../patterns/succeed'
import { useAct } from '../../../patterns/useAct'
import { filled, useForm } from '../../../patterns/useForm'
import { Button } from '../../../ui/Button'
import { Dialog, DialogButtons } from '../../../ui/Dialog'
import { Checkbox, EmailInput, Textarea, TextInput } from '../../../ui/fields'
import { useSite } from '../site'
import classes from './Configurator.module.css'
import { Pick } from './Pick'
import { texts } from './texts'

type Values = {
  anzahl: string
  version: 'wand' | 'quickfix'
  branding: boolean
  kundenname: string
  logo: File | null
  support: 'basis' | 'premium'
  hosting: 'cloud' | 'local'
  email: string
  nachricht: string
}

const START: Values = {
  anzahl: '1',
  version: 'wand',
  branding: false,
  kundenname: '',
  logo: null,
  support: 'basis',
  hosting: 'cloud',
  email: '',
  nachricht: '',
}

const SHOWN_MS = 6_000
const PICTURE = /\.(png|jpe?g|svg)$/i

/** The request's body: only the name of a logo. */
const fieldsOf = ({
  anzahl,
  version,
  branding,
  kundenname,
  logo,
  support,
  hosting,
  email,
  nachricht,
}: Values) => ({
  anzahl: countOf(anzahl),
  version,
  branding,
  ...(branding && kundenname.trim() !== '' ? { kundenname: kundenname.trim() } : {}),
  ...(branding && logo !== null ? { logo: logo.name } : {}),
  support,
  hosting,
  email: email.trim(),
  ...(nachricht.trim() === '' ? {} : { nachricht: nachricht.trim() }),
})

const ask = async (values: Values) =>
  dataOf(await anonymous.POST('/api/inquiries', { body: { kind: 'offer', fields: fieldsOf(values) } }))

/** The number of clocks: a whole number from one on, else null. */
const countOf = (anzahl: string) => (/^[1-9]\d*$/.test(anzahl.trim()) ? Number(anzahl) : 0)

/** The input, until it is sent or the page is left: closing the dialog by accident must not lose it. */
let savedDraft = START

export function Configurator({ onClose }: { onClose: () => void }) {
  const real = useSite()?.inquiries === true
  const sent = useRef(false)
  const form = useForm<Values, Values, object>({
    initial: savedDraft,
    rules: {
      logo: logo => logo !== null && !PICTURE.test(logo.name) && texts.noPicture,
      anzahl: anzahl => countOf(anzahl) === 0 && texts.atLeastOne,
      ...(real && { email: filled(texts.emailMissing) }),
    },
    acting: useAct(ask, texts.failed),
    input: values => (real ? values : null),
    onDone: (_, { email }) => {
      sent.current = true
      succeed(real ? texts.sent(email.trim()) : texts.simulated, SHOWN_MS)
      onClose()
    },
    guarded: false,
  })
  const { values, field, set, tick } = form
  const last = useRef(values)
  last.current = values
  useEffect(
    () => () => {
      savedDraft = sent.current ? START : last.current
    },
    [],
  )
  return (
    <Dialog title={texts.title} size={880} sheet onClose={onClose}>
      <Form
        form={form}
        mayWait={!real}
        buttons={
          <DialogButtons note={<Price values={values} real={real} />}>
            <Button onClick={onClose}>{texts.cancel}</Button>
            <Button type="submit" look="primary" busy={form.busy}>
              {texts.submit}
            </Button>
          </DialogButtons>
        }
      >
        <div className={classes.sides}>
          <div className={classes.fields}>
            <TextInput
              {...field('anzahl')}
              type="number"
              min={1}
              step={1}
              inputMode="numeric"
              label={texts.anzahl}
            />
            <Pick
              label={texts.version}
              name="version"
              value={values.version}
              onChange={version => set('version', version)}
              options={[
                { value: 'wand', label: texts.wand, price: texts.each(euros(PRICES.wand)) },
                { value: 'quickfix', label: texts.quickfix, price: texts.each(euros(PRICES.quickfix)) },
              ]}
            />
            <Checkbox {...tick('branding')} label={texts.branding(euros(PRICES.branding))} />
            {values.branding && (
              <div className={classes.inset}>
                <TextInput {...field('kundenname')} label={texts.kundenname} autoCapitalize="words" />
                <LogoInput
                  error={field('logo').error}
                  file={values.logo}
                  note={texts.logoNote(real)}
                  onChange={logo => set('logo', logo)}
                />
              </div>
            )}
            <Pick
              label={texts.support}
              name="support"
              value={values.support}
              onChange={support => set('support', support)}
              options={[
                { value: 'basis', label: texts.basis, price: texts.included },
                { value: 'premium', label: texts.premium, price: texts.once(euros(PRICES.premium)) },
              ]}
            />
            <Pick
              label={texts.hosting}
              name="hosting"
              value={values.hosting}
              onChange={hosting => set('hosting', hosting)}
              options={[
                { value: 'cloud', label: texts.cloud, price: texts.monthly(euros(PRICES.cloudMonthly)) },
                { value: 'local', label: texts.local, price: euros(PRICES.local) },
              ]}
            />
            {real && (
              <>
                <EmailInput {...field('email')} label={texts.email} />
                <Textarea {...field('nachricht')} label={texts.nachricht} rows={2} />
              </>
            )}
          </div>
          <Summary values={values} />
        </div>
      </Form>
    </Dialog>
  )
}

interface LogoInputProps {
  error: string | undefined
  file: File | null
  note: string
  onChange: (file: File | null) => void
}

/** The browser's own file input would use the browser's language. */
function LogoInput({ error, file, note, onChange }: LogoInputProps) {
  return (
    <div className={classes.file}>
      <label>
        <span className={classes.fileLabel}>{texts.logo}</span>
        <input
          type="file"
          name="logo"
          className="visually-hidden"
          accept=".png,.jpg,.jpeg,.svg"
          aria-describedby="logo-note"
          aria-invalid={error === undefined ? undefined : true}
          onChange={event => onChange(event.currentTarget.files?.[0] ?? null)}
        />
        <span className={classes.fileChosen}>
          <strong>{texts.chooseFile}</strong>
          {file?.name ?? texts.noFile}
        </span>
      </label>
      <small id="logo-note" data-wrong={error !== undefined}>
        {error ?? note}
      </small>
    </div>
  )
}

/** The dialog's footer: the sum, and whether its buttons send anything. */
function Price({ values, real }: { values: Values; real: boolean }) {
  const { version, branding, support } = values
  return (
    <>
      <p className={classes.sum}>
        {texts.total}{' '}
        <strong>{euros(offerTotal({ anzahl: countOf(values.anzahl), version, branding, support }))}</strong>{' '}
        <small>{texts.plusTax}</small>
      </p>
      {!real && <p className={classes.note}>{texts.nothingIsSent}</p>}
    </>
  )
}

/** The current price, line by line. */
function Summary({ values }: { values: Values }) {
  const { version, branding, support, hosting } = values
  const anzahl = countOf(values.anzahl)
  const lines = [
    [texts.devices(anzahl, version), anzahl * PRICES[version]],
    ...(branding ? [[texts.brandingShort, PRICES.branding] as const] : []),
    [support === 'premium' ? texts.premium : texts.basis, PRICES[support]],
  ] as const
  return (
    <section className={classes.summary} aria-label={texts.summary} aria-live="polite">
      <h3>{texts.summary}</h3>
      <dl>
        {lines.map(([name, amount]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{euros(amount)}</dd>
          </div>
        ))}
        <div className={classes.total}>
          <dt>{texts.total}</dt>
          <dd>{euros(offerTotal({ anzahl, version, branding, support }))}</dd>
        </div>
      </dl>
      <p className={classes.tax}>{texts.plusTax}</p>
      <p className={classes.monthly}>
        {hosting === 'cloud' ? texts.cloudNote(euros(PRICES.cloudMonthly)) : texts.localNote}
      </p>
    </section>
  )
}
