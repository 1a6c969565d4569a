/** "Benachrichtigungen": the messages that are also sent by push to this device and by mail. All off at first. */
import { useReachable } from '../../../api/connectivity'
import { pushed } from '../../../api/pushed'
import type { Session } from '../../../api/session'
import { QueryView } from '../../../patterns/QueryView'
import { Button } from '../../../ui/Button'
import { momentOf } from '../../../ui/days'
import { Checkbox } from '../../../ui/fields'
import { Info } from '../../../ui/icons'
import { Card } from '../../../ui/layout'
import { ErrorNotice } from '../../../ui/Notice'
import { Skeleton } from '../../../ui/states'
import { texts as uiTexts } from '../../../ui/texts'
import classes from './NoticesCard.module.css'
import { texts } from './texts'
import {
  type Channel,
  type Device,
  type Kind,
  type Notices,
  useChoose,
  useDevice,
  useNotices,
} from './useNotices'

const CHANNELS = ['push', 'mail'] as const
/** The kinds of messages by role. */
const KINDS: Readonly<Record<'user' | 'others', readonly Kind[]>> = {
  user: ['handoff', 'decisions', 'schedule'],
  others: ['requests', 'decisions'],
}

export function NoticesCard({ session }: { session: Session }) {
  const notices = useNotices()
  return (
    <Card title={texts.title} lead={texts.lead}>
      <QueryView
        query={notices}
        failed={texts.failed}
        offline={texts.offline}
        skeleton={<Skeleton height={180} />}
      >
        {known => <Choices notices={known} session={session} />}
      </QueryView>
    </Card>
  )
}

function Choices({ notices, session }: { notices: Notices; session: Session }) {
  const { choose, failure, reset } = useChoose()
  const device = useDevice(session.userId, notices.publicKey)
  const kinds = KINDS[session.role === 'user' ? 'user' : 'others']
  const change = async (channel: Channel, kind: Kind, wanted: boolean) => {
    reset()
    device.reset()
    if (channel === 'push' && wanted && device.on !== true && !(await device.turnOn())) return
    const isOtherOn = Object.entries(notices[channel]).some(([other, on]) => on && other !== kind)
    const accepted = await choose({ channel, kind, wanted })
    if (channel === 'push' && accepted && !wanted && !isOtherOn) await device.turnOff()
  }
  return (
    <>
      <table className={classes.table}>
        <caption className="visually-hidden">{texts.caption}</caption>
        <thead>
          <tr>
            <th scope="col">
              <span className="visually-hidden">{texts.kind}</span>
            </th>
            {CHANNELS.map(channel => (
              <th key={channel} scope="col" className={classes.channel}>
                {texts.channels[channel]}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {kinds.map(kind => {
            const [name, about] = texts.kinds[kind]
            return (
              <tr key={kind}>
                <th scope="row" className={classes.kind}>
                  {name}
                  <span className={classes.about}>{about}</span>
                </th>
                {CHANNELS.map(channel => (
                  <td key={channel} className={classes.choice}>
                    <Tick
                      label={texts.choice(name, texts.channels[channel])}
                      checked={notices[channel][kind] && (channel === 'mail' || device.on === true)}
                      able={isAble(channel, kind, notices, device)}
                      onChange={wanted => void change(channel, kind, wanted)}
                    />
                  </td>
                ))}
              </tr>
            )
          })}
        </tbody>
      </table>
      <ErrorNotice failure={device.failure ?? failure} />
      <Hints notices={notices} device={device} />
    </>
  )
}

/** Enabled kinds can always be disabled. */
function isAble(channel: Channel, kind: Kind, notices: Notices, device: Device): boolean {
  if (channel === 'mail') {
    return notices.mail[kind] || (notices.mailAvailable && notices.mailAddress !== null)
  }
  return notices.pushAvailable && device.ability === 'able' && !device.busy && device.on !== null
}

interface TickProps {
  label: string
  checked: boolean
  able: boolean
  onChange: (wanted: boolean) => void
}

function Tick({ label, checked, able, onChange }: TickProps) {
  const reachable = useReachable()
  return (
    // biome-ignore lint/a11y/noLabelWithoutControl: around the box, so that a thumb need not hit it; its own name says more
    <label className={classes.target}>
      <Checkbox
        aria-label={label}
        checked={checked}
        disabled={!able || !reachable}
        onChange={event => onChange(event.currentTarget.checked)}
      />
    </label>
  )
}

/** Hints about this device's push and about mails. */
function Hints({ notices, device }: { notices: Notices; device: Device }) {
  const reachable = useReachable()
  const isPushWanted = Object.values(notices.push).some(Boolean)
  const able = notices.pushAvailable && device.ability === 'able'
  return (
    <ul className={classes.hints}>
      {pushHints(notices, device).map(hint => (
        <Hint key={hint}>{hint}</Hint>
      ))}
      {able && isPushWanted && device.on !== null && !device.denied && (
        <Hint
          act={
            <Button
              busy={device.busy}
              disabled={!reachable}
              onClick={() => void (device.on === true ? device.turnOff() : device.turnOn())}
            >
              {device.on ? texts.turnOff : texts.turnOn}
            </Button>
          }
        >
          {device.on ? deviceState(notices) : texts.elsewhere}
        </Hint>
      )}
      <Hint>{mailHint(notices)}</Hint>
    </ul>
  )
}

/** Whether pushes to this device arrive, as the service knows it. */
function deviceState({ subscriptions }: Notices): string {
  const ownId = pushed()?.id
  const failingSince = subscriptions.find(({ id }) => id === ownId)?.failingSince
  return failingSince == null ? texts.here : texts.failing(uiTexts.clock(momentOf(new Date(failingSince))))
}

function pushHints({ pushAvailable }: Notices, { ability, denied, failure }: Device): string[] {
  if (!pushAvailable) return [texts.noPush]
  if (ability === 'home_screen') return [texts.homeScreen]
  if (ability === 'unable') return [texts.unable]
  return denied && failure === null ? [texts.denied] : []
}

function mailHint({ mailAvailable, mailAddress }: Notices): string {
  if (!mailAvailable) return texts.noMail
  return mailAddress === null ? texts.noAddress : texts.address(mailAddress)
}

function Hint({ children, act }: { children: string; act?: React.ReactNode }) {
  return (
    <li className={classes.hint}>
      <Info size={18} />
      <p>{children}</p>
      {act}
    </li>
  )
}
