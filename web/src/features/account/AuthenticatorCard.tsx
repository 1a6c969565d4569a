/** The authenticator app: whether it is active, setting it up, and taking it away again. */
import { useState } from 'react'
import { useReachable } from '../../api/connectivity'
import { Served } from '../../patterns/Served'
import { succeed } from '../../patterns/succeed'
import { Badge } from '../../ui/Badge'
import { Button } from '../../ui/Button'
import { Check, Shield } from '../../ui/icons'
import { ErrorNotice } from '../../ui/Notice'
import { Skeleton } from '../../ui/states'
import { AuthenticatorSetup } from './AuthenticatorSetup'
import { Card } from './Card'
import classes from './Card.module.css'
import { DisableDialog } from './DisableDialog'
import { RecoveryCodes } from './RecoveryCodes'
import { SetupPassword } from './SetupPassword'
import { texts } from './texts'
import { PASSWORD_NEEDED, type Setup, useSecondFactor, useStartSetup } from './useAccount'

interface Owner {
  userId: string
  username: string
}

export function AuthenticatorCard({ userId, username }: Owner) {
  const status = useSecondFactor(userId)
  /** Shown once: they live here, beside what the service says, until they are confirmed to be kept. */
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
    <Card title={texts.authenticator} lead={texts.authenticatorLead} badge={badge}>
      <Served query={status} failed={texts.statusFailed} skeleton={<CardSkeleton />}>
        {known =>
          known.enabled ? (
            <Active
              userId={userId}
              codesLeft={known.recoveryCodesLeft}
              onDisabled={() => succeed(texts.disabled)}
            />
          ) : (
            <SetUp userId={userId} username={username} onActive={setCodes} />
          )
        }
      </Served>
      {codes !== null && <RecoveryCodes codes={codes} username={username} onDone={() => setCodes(null)} />}
    </Card>
  )
}

function CardSkeleton() {
  return (
    <div className={classes.skeleton}>
      <Skeleton width="60%" height={18} />
      <Skeleton width={220} height={44} />
    </div>
  )
}

interface SetUpProps extends Owner {
  onActive: (codes: readonly string[]) => void
}

function SetUp({ userId, username, onActive }: SetUpProps) {
  const starting = useStartSetup()
  const [setup, setSetup] = useState<Setup | null>(null)
  const [asked, setAsked] = useState(false)
  const reachable = useReachable()
  if (setup !== null) {
    return (
      <AuthenticatorSetup userId={userId} setup={setup} onActive={onActive} onCancel={() => setSetup(null)} />
    )
  }
  const start = async () => {
    const begun = await starting.run(undefined)
    if (begun === PASSWORD_NEEDED) setAsked(true)
    else setSetup(begun)
  }
  return (
    <>
      <ErrorNotice failure={starting.failure} />
      <div className={classes.buttons}>
        <Button
          look="primary"
          icon={<Shield size={20} />}
          busy={starting.busy}
          disabled={!reachable}
          onClick={start}
        >
          {texts.setUp}
        </Button>
      </div>
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

/** So few are a reason to think of new ones. */
const FEW_CODES = 3

interface ActiveProps {
  userId: string
  codesLeft: number
  onDisabled: () => void
}

function Active({ userId, codesLeft, onDisabled }: ActiveProps) {
  const [asked, setAsked] = useState(false)
  return (
    <>
      <div>
        <p>{texts.codesLeft(codesLeft)}</p>
        {codesLeft <= FEW_CODES && <p className={classes.hint}>{texts.renewCodes}</p>}
      </div>
      <div className={classes.buttons}>
        <Button onClick={() => setAsked(true)}>{texts.disable}</Button>
      </div>
      {asked && (
        <DisableDialog
          userId={userId}
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
