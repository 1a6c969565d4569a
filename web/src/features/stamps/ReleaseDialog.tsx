/** Assigns a clock's stamps of a period to a company. It starts with all waiting stamps of the clock. */
import { api, dataOf } from '../../api/client'
import type { components } from '../../api/schema'
import { CompanySelect, companyChosen } from '../../entities/companies/CompanySelect'
import { FormDialog } from '../../patterns/FormDialog'
import { succeed } from '../../patterns/succeed'
import { useChange } from '../../patterns/useChange'
import { useForm } from '../../patterns/useForm'
import { keyOf } from '../../patterns/useGet'
import { dayOf, instantOf, timeOf } from '../../ui/days'
import { now } from '../../ui/now'
import { isWholeMoment, MomentInput } from '../../ui/times'
import { texts } from './texts'
import { canBeReleased, PATH, type Unclaimed } from './unclaimed'

const LAST_OF_A_MINUTE_MS = 59_999

interface ReleaseDialogProps {
  device: { id: string; serial: string }
  waiting: readonly Unclaimed[]
  onClose: () => void
}

const fieldOf = (instant: string) => `${dayOf(new Date(instant))}T${timeOf(new Date(instant))}`

/**
 * The range covers the first minute's start to the last minute's end, so that all stamps shown with these minutes are
 * included.
 */
function periodOf({ from, to }: { from: string; to: string }) {
  const [first, last] = [from, to].map(field => {
    const [day = '', time = ''] = field.split('T')
    return instantOf(day, time).getTime()
  }) as [number, number]
  return {
    from: new Date(first).toISOString(),
    to: new Date(last + LAST_OF_A_MINUTE_MS).toISOString(),
  }
}

const wholeMomentRule = (moment: string) => !isWholeMoment(moment) && texts.whole

const useRelease = () =>
  useChange(
    async (body: components['schemas']['ReleasePeriod']) =>
      dataOf(await api.POST('/api/held-stamps/release', { body })),
    texts.releaseFailed,
    [keyOf(PATH)],
  )

export function ReleaseDialog({ device, waiting, onClose }: ReleaseDialogProps) {
  const times = waiting
    .filter(one => one.deviceId === device.id && canBeReleased(one))
    .flatMap(({ takenAt }) => takenAt ?? [])
    .sort()
  const form = useForm({
    initial: {
      companyId: null as string | null,
      from: fieldOf(times[0] ?? now().toISOString()),
      to: fieldOf(times.at(-1) ?? now().toISOString()),
    },
    rules: { companyId: companyChosen, from: wholeMomentRule, to: wholeMomentRule },
    acting: useRelease(),
    input: ({ companyId, ...period }) => ({
      deviceId: device.id,
      companyId: companyId ?? '',
      ...periodOf(period),
    }),
    onDone: done => {
      succeed(texts.released(done?.released ?? 0))
      onClose()
    },
  })
  const { from, to } = form.values
  return (
    <FormDialog
      title={texts.releaseTitle(device.serial)}
      form={form}
      submit={texts.release}
      onClose={onClose}
    >
      <p>{texts.releaseLead}</p>
      <CompanySelect {...form.field('companyId')} />
      <MomentInput {...form.field('from')} label={texts.from} />
      <MomentInput {...form.field('to')} label={texts.to} />
      {isWholeMoment(from) && isWholeMoment(to) && (
        <p role="status">{texts.concerns(countIn(times, periodOf({ from, to })))}</p>
      )}
    </FormDialog>
  )
}

const countIn = (times: readonly string[], { from, to }: { from: string; to: string }) =>
  times.filter(time => Date.parse(time) >= Date.parse(from) && Date.parse(time) <= Date.parse(to)).length
