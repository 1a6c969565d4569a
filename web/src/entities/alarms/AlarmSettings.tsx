/** "Alarme einstellen": whether mails are sent, which ones, and when they pause. */
import { useState } from 'react'
import { FormDialog } from '../../patterns/FormDialog'
import { QueryView } from '../../patterns/QueryView'
import { succeed } from '../../patterns/succeed'
import { useForm } from '../../patterns/useForm'
import { Button } from '../../ui/Button'
import { Dialog } from '../../ui/Dialog'
import { Checkbox } from '../../ui/fields'
import { SkeletonRows } from '../../ui/states'
import { TimeInput } from '../../ui/times'
import { texts } from './texts'
import { type Kind, OPERATOR_KINDS, type Settings, useAlarmSettings, useSaveSettings } from './useAlarms'

const FRAMELESS = { border: 0, margin: 0, padding: 0 }
const LIKE_LABELS = { padding: 0, fontWeight: 600 }
const KINDS = Object.keys(texts.kinds) as Kind[]

interface Props {
  /** Whether these are the operator's settings. */
  ofOperator?: boolean
}

/** The button with its dialog. */
export function AlarmSettings({ ofOperator = false }: Props) {
  const [open, setOpen] = useState(false)
  const kinds = ofOperator ? KINDS : KINDS.filter(kind => !OPERATOR_KINDS.includes(kind))
  return (
    <>
      <Button onClick={() => setOpen(true)}>{texts.settings}</Button>
      {open && <AlarmForm offered={kinds} onClose={() => setOpen(false)} />}
    </>
  )
}

interface SettledProps {
  offered: readonly Kind[]
  onClose: () => void
}

function AlarmForm({ offered, onClose }: SettledProps) {
  const settings = useAlarmSettings()
  if (settings.data !== undefined)
    return <SettingsDialog known={settings.data} offered={offered} onClose={onClose} />
  return (
    <Dialog title={texts.settings} onClose={onClose}>
      <QueryView query={settings} failed={texts.settingsFailed} skeleton={<SkeletonRows rows={4} />}>
        {() => null}
      </QueryView>
    </Dialog>
  )
}

function SettingsDialog({ known, offered, onClose }: SettledProps & { known: Settings }) {
  const form = useForm({
    initial: {
      mail: known.mail,
      quietFrom: known.quietFrom ?? '',
      quietTo: known.quietTo ?? '',
      ...(Object.fromEntries(offered.map(kind => [kind, known.kinds.includes(kind)])) as Record<
        Kind,
        boolean
      >),
    },
    acting: useSaveSettings(),
    input: ({ mail, quietFrom, quietTo, ...kinds }) => ({
      mail,
      quietFrom: quietFrom || null,
      quietTo: quietTo || null,
      // Kinds of a newer release keep the service's value.
      kinds: [...offered.filter(kind => kinds[kind]), ...known.kinds.filter(kind => !offered.includes(kind))],
    }),
    onDone: () => {
      succeed(texts.saved)
      onClose()
    },
  })
  return (
    <FormDialog title={texts.settings} form={form} submit={texts.save} onClose={onClose}>
      <Checkbox {...form.tick('mail')} label={texts.mail} description={texts.mailHint} />
      {form.values.mail && (
        <>
          <fieldset style={FRAMELESS}>
            <legend style={LIKE_LABELS}>{texts.kindsLegend}</legend>
            {offered.map(kind => (
              <Checkbox key={kind} {...form.tick(kind)} label={texts.kinds[kind]} />
            ))}
          </fieldset>
          <TimeInput {...form.field('quietFrom')} label={texts.quietFrom} />
          <TimeInput {...form.field('quietTo')} label={texts.quietTo} description={texts.quietHint} />
        </>
      )}
    </FormDialog>
  )
}
