/** The tax adviser's numbers: of the company, of wage types, of absences, of departments. */
import { FormDialog } from '../../patterns/FormDialog'
import { succeed } from '../../patterns/succeed'
import { useForm } from '../../patterns/useForm'
import { Button } from '../../ui/Button'
import { TextInput } from '../../ui/fields'
import { Plus } from '../../ui/icons'
import { Buttons } from '../../ui/layout'
import { texts } from './texts'
import { type Mapping, type MappingChange, useSaveMapping } from './useMonthEnd'

interface MappingDialogProps {
  companyId: string
  known: Mapping
  onClose: () => void
}

interface Pair {
  name: string
  value: string
}

const WAGES = Object.keys(texts.wageTypes) as (keyof typeof texts.wageTypes)[]
const FIXED = [...Object.keys(texts.absences), ...texts.reasons]

const typedOf = ({
  adviserNumber,
  clientNumber,
  wageTypes,
  absenceKeys = {},
  costCentres = {},
}: Mapping) => ({
  adviserNumber: adviserNumber ?? '',
  clientNumber: clientNumber ?? '',
  wageTypes: Object.fromEntries(WAGES.map(name => [name, wageTypes?.[name] ?? ''])),
  absenceKeys: Object.fromEntries(FIXED.map(name => [name, absenceKeys[name] ?? ''])),
  reasons: pairsOf(Object.entries(absenceKeys).filter(([name]) => !FIXED.includes(name))),
  departments: pairsOf(Object.entries(costCentres)),
})
type Typed = ReturnType<typeof typedOf>

function pairsOf(entries: readonly (readonly [string, string | null])[]): Pair[] {
  return entries.map(([name, value]) => ({ name, value: value ?? '' }))
}

/** The filled pairs; null removes a known name that is empty now. */
function changeOf(known: Record<string, unknown> | undefined, pairs: readonly Pair[]) {
  const filled = pairs.map(({ name, value }) => [name.trim(), value.trim()])
  return {
    ...Object.fromEntries(Object.keys(known ?? {}).map(name => [name, null])),
    ...Object.fromEntries(filled.filter(([name, value]) => name !== '' && value !== '')),
  }
}

const mappingOf = (known: Mapping, typed: Typed): MappingChange => ({
  adviserNumber: typed.adviserNumber.trim() || null,
  clientNumber: typed.clientNumber.trim() || null,
  wageTypes: Object.fromEntries(WAGES.map(name => [name, typed.wageTypes[name]?.trim() || null])),
  absenceKeys: changeOf(known.absenceKeys, [...pairsOf(Object.entries(typed.absenceKeys)), ...typed.reasons]),
  costCentres: changeOf(known.costCentres, typed.departments),
})

const digits = (text: string) => !/^\d*$/.test(text.trim()) && texts.digits

export function MappingDialog({ companyId, known, onClose }: MappingDialogProps) {
  const form = useForm({
    initial: typedOf(known),
    rules: { adviserNumber: digits, clientNumber: digits },
    acting: useSaveMapping(companyId),
    input: typed => mappingOf(known, typed),
    onDone: () => {
      succeed(texts.saved)
      onClose()
    },
  })
  const { reasons, departments } = form.values
  // A path within the values, which is also the service's field name.
  const fieldAt = (path: string) => form.field(path as 'adviserNumber')
  const number = { inputMode: 'numeric', autoComplete: 'off' } as const
  return (
    <FormDialog title={texts.mapping} form={form} submit={texts.save} onClose={onClose}>
      <p className="muted">{texts.mappingLead}</p>
      <TextInput {...form.field('adviserNumber')} label={texts.adviserNumber} {...number} data-autofocus />
      <TextInput {...form.field('clientNumber')} label={texts.clientNumber} {...number} />
      {WAGES.map(name => (
        <TextInput key={name} {...fieldAt(`wageTypes.${name}`)} label={texts.wageTypes[name]} {...number} />
      ))}
      {FIXED.map(name => (
        <TextInput
          key={name}
          {...fieldAt(`absenceKeys.${name}`)}
          label={texts.absenceKey(texts.absences[name] ?? name)}
          maxLength={2}
          autoComplete="off"
        />
      ))}
      {Array.from(reasons.entries(), ([place, pair]) => (
        <NamedValue
          key={place}
          name={{ ...fieldAt(`reasons.${place}.name`), label: texts.reason }}
          value={{
            ...fieldAt(`reasons.${place}.value`),
            label: pair.name === '' ? texts.keyOfReason : texts.absenceKey(pair.name),
            maxLength: 2,
          }}
        />
      ))}
      <Buttons>
        <Button
          icon={<Plus size={18} />}
          onClick={() => form.set('reasons', [...reasons, { name: '', value: '' }])}
        >
          {texts.addReason}
        </Button>
      </Buttons>
      {Array.from(departments.entries(), ([place, pair]) => (
        <NamedValue
          key={place}
          name={{ ...fieldAt(`departments.${place}.name`), label: texts.department }}
          value={{
            ...fieldAt(`departments.${place}.value`),
            label: pair.name === '' ? texts.costCentre : texts.costCentreOf(pair.name),
            maxLength: 8,
          }}
        />
      ))}
      <Buttons>
        <Button
          icon={<Plus size={18} />}
          onClick={() => form.set('departments', [...departments, { name: '', value: '' }])}
        >
          {texts.addDepartment}
        </Button>
      </Buttons>
    </FormDialog>
  )
}

type Field = ReturnType<ReturnType<typeof useForm<{ field: string }, never, never>>['field']> & {
  label: string
  maxLength?: number
}

/** A name chosen by the company, with its number at the tax adviser's. */
function NamedValue({ name, value }: { name: Field; value: Field }) {
  return (
    <div style={{ display: 'grid', gridTemplateColumns: '1fr 1fr', gap: 8 }}>
      <TextInput maxLength={200} {...name} autoComplete="off" />
      <TextInput {...value} autoComplete="off" />
    </div>
  )
}
