/** The bookings on a person's account. A booking is permanent; a wrong one is reversed by another. */
import { useState } from 'react'
import type { User } from '../../../entities/people/people'
import { asTyped, minutesFrom } from '../../../patterns/dated/hours'
import { FormDialog } from '../../../patterns/FormDialog'
import { QueryView } from '../../../patterns/QueryView'
import { succeed } from '../../../patterns/succeed'
import { type Column, DataTable } from '../../../patterns/table/DataTable'
import { filled, useForm } from '../../../patterns/useForm'
import { Button } from '../../../ui/Button'
import { DayInput } from '../../../ui/dates'
import { currentDay } from '../../../ui/days'
import { numericDay } from '../../../ui/dayText'
import { difference } from '../../../ui/durations'
import { Textarea, TextInput } from '../../../ui/fields'
import { Plus } from '../../../ui/icons'
import { Section } from '../../../ui/layout'
import { Select } from '../../../ui/Select'
import { EmptyState, Skeleton } from '../../../ui/states'
import { daysFrom, typedDays } from './days'
import { texts } from './texts'
import { type Booking, useBook, useBookings } from './useEmployment'

const KINDS = ['minutes', 'vacationDays'] as const
const EMPTY = { kind: 'minutes' as (typeof KINDS)[number], date: '', amount: '', reason: '' }

export function Bookings({ user }: { user: User }) {
  const bookings = useBookings(user.id)
  const [begun, begin] = useState<typeof EMPTY | null>(null)
  const book = (
    <Button icon={<Plus size={18} />} onClick={() => begin({ ...EMPTY, date: currentDay() })}>
      {texts.book}
    </Button>
  )
  const reverse = ({ minutes, vacationDays, date, reason }: Booking) =>
    begin({
      kind: minutes === null ? 'vacationDays' : 'minutes',
      date,
      amount: minutes === null ? typedDays(-(vacationDays ?? 0)) : asTyped(-minutes),
      reason: texts.reversal(reason),
    })
  return (
    <Section title={texts.bookings} actions={book}>
      <QueryView query={bookings} failed={texts.bookingsFailed} skeleton={<Skeleton height={96} />}>
        {rows => (
          <DataTable
            caption={texts.bookings}
            rows={rows}
            columns={columns(reverse)}
            keyOf={({ id }) => id}
            empty={<EmptyState sentence={texts.noBookings} />}
          />
        )}
      </QueryView>
      {begun !== null && <BookDialog user={user} initial={begun} onClose={() => begin(null)} />}
    </Section>
  )
}

function columns(onReverse: (booking: Booking) => void): Column<Booking>[] {
  return [
    {
      key: 'date',
      head: texts.date,
      names: true,
      sortBy: ({ date }) => date,
      cell: ({ date }) => <time dateTime={date}>{numericDay(date)}</time>,
    },
    {
      key: 'amount',
      head: texts.amount,
      align: 'end',
      cell: ({ minutes, vacationDays }) =>
        minutes === null ? texts.days(vacationDays ?? 0) : difference(minutes),
    },
    { key: 'reason', head: texts.reason, cell: ({ reason }) => reason },
    { key: 'by', head: texts.by, cell: ({ by }) => by },
    {
      key: 'acts',
      head: texts.actions,
      acts: true,
      cell: booking => (
        <Button aria-label={texts.reverseOf(booking.reason)} onClick={() => onReverse(booking)}>
          {texts.reverse}
        </Button>
      ),
    },
  ]
}

const amountOf = ({ kind, amount }: typeof EMPTY) =>
  kind === 'minutes' ? minutesFrom(amount) : daysFrom(amount)

const RULES = {
  date: filled(texts.fillIn),
  reason: filled(texts.fillIn),
  amount: (_: string, all: typeof EMPTY) => {
    const amount = amountOf(all)
    if (amount == null) return all.kind === 'minutes' ? texts.durationWrong : texts.daysWrong
    return amount === 0 && texts.zero
  },
}

interface BookDialogProps {
  user: User
  initial: typeof EMPTY
  onClose: () => void
}

function BookDialog({ user, initial, onClose }: BookDialogProps) {
  const form = useForm({
    initial,
    rules: RULES,
    acting: useBook(user.id),
    input: typed => ({
      date: typed.date,
      reason: typed.reason.trim(),
      [typed.kind]: amountOf(typed),
    }),
    onDone: () => {
      succeed(texts.bookedNow)
      onClose()
    },
  })
  return (
    <FormDialog title={texts.bookTitle(user.username)} form={form} submit={texts.book} onClose={onClose}>
      <p>{texts.bookHint}</p>
      <Select
        {...form.field('kind')}
        label={texts.what}
        data={KINDS.map(kind => ({ value: kind, label: texts.whats[kind] }))}
      />
      <DayInput {...form.field('date')} label={texts.date} />
      <TextInput
        {...form.field('amount')}
        label={texts.amountOf[form.values.kind]}
        description={form.values.kind === 'minutes' ? texts.openingHint : undefined}
        autoComplete="off"
        data-autofocus
      />
      <Textarea {...form.field('reason')} label={texts.reason} maxLength={2_000} />
    </FormDialog>
  )
}
