/** The employee's area: the modules that there are. */
import { useCallback } from 'react'
import { useSearchParams } from 'react-router'
import { useSession } from '../../api/session'
import { TimesPage } from '../../features/times/TimesPage'
import { Clock, Key } from '../../ui/icons'
import { currentMonth, isMonth } from '../../ui/months'
import { fetched } from '../fetched'
import { type Module, ModuleHub } from '../frame/ModuleHub'
import { texts } from '../texts'

const AccountPage = fetched(async () => (await import('../../features/account/AccountPage')).AccountPage)

export function EmployeeArea() {
  const session = useSession()
  if (session === null) return null
  const modules: Module[] = [
    {
      key: 'my_times',
      label: texts.myTimes,
      short: texts.myTimesShort,
      icon: Clock,
      content: <MyTimes userId={session.userId} />,
    },
    {
      key: 'login',
      label: texts.loginData,
      short: texts.loginDataShort,
      icon: Key,
      content: <AccountPage title={texts.loginData} />,
      aside: true,
    },
  ]
  return <ModuleHub title={texts.employeeArea} modules={modules} username={session.username} />
}

/** Keeps the month in the address. */
function MyTimes({ userId }: { userId: string }) {
  const [search, setSearch] = useSearchParams()
  const wanted = search.get('monat')
  const setMonth = useCallback(
    (month: string) =>
      setSearch(known => {
        const next = new URLSearchParams(known)
        if (month === currentMonth()) next.delete('monat')
        else next.set('monat', month)
        return next
      }),
    [setSearch],
  )
  return <TimesPage userId={userId} month={isMonth(wanted) ? wanted : currentMonth()} onMonth={setMonth} />
}
