/** The recipients of the monthly mail, and its format. */
import type { KeyboardEvent } from 'react'
import { Form } from '../../patterns/Form'
import { QueryView } from '../../patterns/QueryView'
import { succeed } from '../../patterns/succeed'
import { type Form as FormState, useForm } from '../../patterns/useForm'
import { Badge } from '../../ui/Badge'
import { Button } from '../../ui/Button'
import { Checkbox, EmailInput, PasswordInput } from '../../ui/fields'
import { Alert, Close, Plus } from '../../ui/icons'
import { Card } from '../../ui/layout'
import { Select } from '../../ui/Select'
import { Skeleton } from '../../ui/states'
import { texts } from './texts'
import { type Settings, useSaveSettings, useSettings } from './useMonthEnd'

const PASSWORD_LEAST = 12
const options = (named: Readonly<Record<string, string>>) =>
  Object.entries(named).map(([value, label]) => ({ value, label }))

export function MailSettings({ companyId }: { companyId: string }) {
  const settings = useSettings(companyId)
  return (
    <Card title={texts.settings} lead={texts.info} narrow>
      <QueryView query={settings} failed={texts.settingsFailed} skeleton={<Skeleton height={320} />}>
        {known => (
          // A decline that arrives meanwhile does not change the input.
          <SettingsForm
            key={JSON.stringify({ ...known, declined: [] })}
            companyId={companyId}
            known={known}
          />
        )}
      </QueryView>
    </Card>
  )
}

const typedOf = ({ active, delivery, recipients }: Settings) => ({
  active,
  delivery,
  recipients,
  /** An address not added yet. */
  recipient: '',
  zipPassword: '',
})
type Typed = ReturnType<typeof typedOf>

/** Saving includes an address that is still being typed. */
const allOf = ({ recipients, recipient }: Typed) =>
  recipient.trim() === '' ? recipients : [...new Set([...recipients, recipient.trim()])]

function SettingsForm({ companyId, known }: { companyId: string; known: Settings }) {
  const form = useForm({
    initial: typedOf(known),
    rules: {
      zipPassword: (password: string, { delivery }: Typed) =>
        delivery === 'zip' &&
        ((password === '' && !known.hasZipPassword && texts.zipPasswordNeeded) ||
          (password !== '' && password.length < PASSWORD_LEAST && texts.zipPasswordShort)),
    },
    acting: useSaveSettings(companyId),
    input: typed => ({
      active: typed.active,
      delivery: typed.delivery,
      useGmail: known.useGmail,
      recipients: allOf(typed).map(email => ({ email })),
      ...(typed.delivery === 'zip' && typed.zipPassword !== '' && { zipPassword: typed.zipPassword }),
    }),
    onDone: () => {
      form.set('recipient', '')
      succeed(texts.settingsSaved)
    },
  })
  const { delivery } = form.values
  return (
    <Form form={form} buttons={texts.save}>
      <Select
        label={texts.method}
        data={options(texts.methods)}
        value="smtp"
        onChange={() => {}}
        description={texts.encrypted}
      />
      <Checkbox {...form.tick('active')} label={texts.active} />
      <Recipients form={form} declined={known.declined} />
      <Select
        label={texts.delivery}
        data={options(texts.deliveries)}
        value={delivery}
        onChange={chosen => form.set('delivery', chosen)}
      />
      {delivery === 'zip' && (
        <PasswordInput
          {...form.field('zipPassword')}
          label={texts.zipPassword}
          description={known.hasZipPassword ? texts.zipPasswordKept : texts.zipPasswordHint}
          autoComplete="new-password"
        />
      )}
    </Form>
  )
}

/** Added by Enter or the button, removed by their x. */
function Recipients({ form, declined }: { form: FormState<Typed>; declined: readonly string[] }) {
  const { recipients } = form.values
  const add = () => {
    form.set('recipients', allOf(form.values))
    form.set('recipient', '')
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter') return
    event.preventDefault()
    add()
  }
  return (
    <>
      <div style={{ display: 'flex', flexWrap: 'wrap', alignItems: 'end', gap: 8 }}>
        <EmailInput
          style={{ flex: '1 1 200px' }}
          {...form.field('recipient')}
          label={texts.recipient}
          onKeyDown={onKeyDown}
          autoComplete="off"
        />
        <Button icon={<Plus size={18} />} onClick={add}>
          {texts.add}
        </Button>
      </div>
      {recipients.length === 0 ? (
        <p className="muted">{texts.noRecipients}</p>
      ) : (
        // biome-ignore lint/a11y/noRedundantRoles: without its marks Safari takes it for no list
        <ul role="list" aria-label={texts.recipients} style={CHIPS}>
          {recipients.map(address => (
            <li key={address} style={CHIP_ITEM}>
              <Button
                icon={<Close size={16} />}
                style={CHIP}
                aria-label={texts.remove(address)}
                onClick={() =>
                  form.set(
                    'recipients',
                    recipients.filter(recipient => recipient !== address),
                  )
                }
              >
                {address}
              </Button>
              {declined.includes(address) && <Badge icon={<Alert size={14} />}>{texts.hasDeclined}</Badge>}
            </li>
          ))}
        </ul>
      )}
      {recipients.some(address => declined.includes(address)) && (
        <p className="muted">{texts.declinedHint}</p>
      )}
    </>
  )
}

const CHIPS = { display: 'flex', flexWrap: 'wrap', gap: 8, margin: 0, padding: 0, listStyle: 'none' } as const
const CHIP_ITEM = {
  display: 'flex',
  flexWrap: 'wrap',
  alignItems: 'center',
  gap: 8,
  maxWidth: '100%',
} as const
/** An address may be longer than a phone is wide. */
const CHIP = { maxWidth: '100%', whiteSpace: 'normal', overflowWrap: 'anywhere' } as const
