/** What the tax adviser's numbers are: of the company, of what is paid, of absences, of departments. */
import { FormDialog } from '../../patterns/FormDialog'
import { succeed } from '../../patterns/succeed'
import { useForm } from '../../patterns/useForm'
import { Button } from '../../ui/Button'
import { TextInput } from '../../ui/fields'
import { Plus } from '../../ui/icons'
import { Buttons } from '../../ui/layout'
import { texts } from './texts'
import { type Mapping, useSaveMapping } from './useMonthEnd'

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
  absences: [...new Set([...Object.keys(texts.absences), ...texts.reasons, ...Object.keys(absenceKeys)])].map(
    (name): Pair => ({ name, value: absenceKeys[name] ?? '' }),
  ),
  departments: Object.entries(costCentres).map(([name, value]): Pair => ({ name, value: value ?? '' })),
})
type Typed = ReturnType<typeof typedOf>

const keyed = (pairs: readonly Pair[]) =>
  Object.fromEntries(
    pairs.flatMap(({ name, value }) =>
      name.trim() === '' || value.trim() === '' ? [] : [[name.trim(), value.trim()]],
    ),
  )

const mappingOf = (typed: Typed): Mapping => ({
  adviserNumber: typed.adviserNumber.trim() || null,
  clientNumber: typed.clientNumber.trim() || null,
  wageTypes: Object.fromEntries(WAGES.map(name => [name, typed.wageTypes[name]?.trim() || null])),
  absenceKeys: keyed(typed.absences),
  costCentres: keyed(typed.departments),
})

const digits = (text: string) => !/^\d*$/.test(text.trim()) && texts.digits

export function MappingDialog({ companyId, known, onClose }: MappingDialogProps) {
  const form = useForm({
    initial: typedOf(known),
    rules: { adviserNumber: digits, clientNumber: digits },
    acting: useSaveMapping(companyId),
    input: mappingOf,
    onDone: () => {
      succeed(texts.saved)
      onClose()
    },
  })
  const { absences, departments } = form.values
  // A path within the values, by which the service names a field, too.
  const at = (path: string) => form.field(path as 'adviserNumber')
  const number = { inputMode: 'numeric', autoComplete: 'off' } as const
  return (
    <FormDialog title={texts.mapping} form={form} submit={texts.save} onClose={onClose}>
      <p className="muted">{texts.mappingLead}</p>
      <TextInput {...form.field('adviserNumber')} label={texts.adviserNumber} {...number} data-autofocus />
      <TextInput {...form.field('clientNumber')} label={texts.clientNumber} {...number} />
      {WAGES.map(name => (
        <TextInput key={name} {...at(`wageTypes.${name}`)} label={texts.wageTypes[name]} {...number} />
      ))}
      {absences.map(({ name }, place) => (
        <TextInput
          key={name}
          {...at(`absences.${place}.value`)}
          label={texts.absenceKey(texts.absences[name] ?? name)}
          autoComplete="off"
        />
      ))}
      {Array.from(departments.entries(), ([place, pair]) => (
        <Department
          key={place}
          pair={pair}
          name={at(`departments.${place}.name`)}
          value={at(`departments.${place}.value`)}
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

type Field = ReturnType<ReturnType<typeof useForm<{ field: string }, never, never>>['field']>

function Department({ pair, name, value }: { pair: Pair; name: Field; value: Field }) {
  return (
    <div style={{ display: 'grid', gridTemplateColumns: '1fr 1fr', gap: 8 }}>
      <TextInput {...name} label={texts.department} maxLength={200} autoComplete="off" />
      <TextInput
        {...value}
        label={pair.name === '' ? texts.costCentre : texts.costCentreOf(pair.name)}
        inputMode="numeric"
        autoComplete="off"
      />
    </div>
  )
}
