/** The authenticator app: status, setup and removal. */
import { useState } from 'react'
import { useReachable } from '../../api/connectivity'
import { QueryView } from '../../patterns/QueryView'
import { succeed } from '../../patterns/succeed'
import { Badge } from '../../ui/Badge'
import { Button } from '../../ui/Button'
import { Check, Shield } from '../../ui/icons'
import { Buttons, Card } from '../../ui/layout'
import { ErrorNotice } from '../../ui/Notice'
import { SkeletonRows } from '../../ui/states'
import { AuthenticatorSetup } from './AuthenticatorSetup'
import classes from './account.module.css'
import { DisableDialog } from './DisableDialog'
import { RecoveryCodes } from './RecoveryCodes'
import { SetupPassword } from './SetupPassword'
import { texts } from './texts'
import { PASSWORD_NEEDED, type Setup, useSecondFactor, useStartSetup } from './useAccount'

export function AuthenticatorCard({ username }: { username: string }) {
  const status = useSecondFactor()
  /** Shown once: kept here with the service's answer, until the user confirms having stored them. */
  const [codes, setCodes] = useState<readonly string[] | null>(null)
  const enabled = status.data?.enabled
  const badge =
    enabled === undefined ? undefined : enabled ? (
      <Badge tone="in" icon={<Check />}>
        {texts.active}
      </Badge>
    ) : (
      <Badge>{texts.inactive}</Badge>
    )
  return (
    <Card title={texts.authenticator} lead={texts.authenticatorLead} badge={badge} narrow>
      <QueryView query={status} failed={texts.statusFailed} skeleton={<SkeletonRows rows={2} height={32} />}>
        {known =>
          known.enabled ? (
            <Active codesLeft={known.recoveryCodesLeft} onDisabled={() => succeed(texts.disabled)} />
          ) : (
            <SetUp username={username} onActive={setCodes} />
          )
        }
      </QueryView>
      {codes !== null && <RecoveryCodes codes={codes} username={username} onDone={() => setCodes(null)} />}
    </Card>
  )
}

interface SetUpProps {
  username: string
  onActive: (codes: readonly string[]) => void
}

function SetUp({ username, onActive }: SetUpProps) {
  const starting = useStartSetup()
  const [setup, setSetup] = useState<Setup | null>(null)
  const [asked, setAsked] = useState(false)
  const reachable = useReachable()
  if (setup !== null) {
    return <AuthenticatorSetup setup={setup} onActive={onActive} onCancel={() => setSetup(null)} />
  }
  const start = async () => {
    const begun = await starting.run(undefined)
    if (begun === PASSWORD_NEEDED) setAsked(true)
    else setSetup(begun)
  }
  return (
    <>
      <ErrorNotice failure={starting.failure} />
      <Buttons>
        <Button
          look="primary"
          icon={<Shield size={20} />}
          busy={starting.busy}
          disabled={!reachable}
          onClick={start}
        >
          {texts.setUp}
        </Button>
      </Buttons>
      {asked && (
        <SetupPassword
          username={username}
          onClose={() => setAsked(false)}
          onDone={begun => {
            setAsked(false)
            setSetup(begun)
          }}
        />
      )}
    </>
  )
}

/** At this number or below, new codes are recommended. */
const FEW_CODES = 3

interface ActiveProps {
  codesLeft: number
  onDisabled: () => void
}

function Active({ codesLeft, onDisabled }: ActiveProps) {
  const [asked, setAsked] = useState(false)
  return (
    <>
      <div>
        <p>{texts.codesLeft(codesLeft)}</p>
        {codesLeft <= FEW_CODES && <p className={classes.hint}>{texts.renewCodes}</p>}
      </div>
      <Buttons>
        <Button onClick={() => setAsked(true)}>{texts.disable}</Button>
      </Buttons>
      {asked && (
        <DisableDialog
          onClose={() => setAsked(false)}
          onDone={() => {
            setAsked(false)
            onDisabled()
          }}
        />
      )}
    </>
  )
}
