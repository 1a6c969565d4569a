/** The logged-in user and their company, with the account's links below. For wide windows. */

import { useEffect } from 'react'
import { Link, useLocation } from 'react-router'
import type { Session } from '../../api/session'
import { useOwnCompany } from '../../entities/companies/useOwnCompany'
import { Button } from '../../ui/Button'
import { ChevronDown, Key, Person } from '../../ui/icons'
import { usePanel } from '../../ui/usePanel'
import { accountOf } from '../areas'
import { texts } from '../texts'
import classes from './AccountMenu.module.css'
import { useInstall } from './useInstall'

export function AccountMenu({ session }: { session: Session }) {
  const { open, button, panel, toggle, close } = usePanel<HTMLDivElement>()
  const company = useOwnCompany()
  const install = useInstall()
  const { key } = useLocation()
  // biome-ignore lint/correctness/useExhaustiveDependencies: going somewhere closes the menu, wherever that is
  useEffect(close, [key, close])
  return (
    <div className={classes.place}>
      <button
        ref={button}
        type="button"
        className={classes.button}
        aria-expanded={open}
        aria-controls="account-menu"
        onClick={toggle}
      >
        <Person size={20} />
        <span className={classes.who}>
          <span className={classes.line}>{session.username}</span>
          {company !== null && (
            <span className={`${classes.line} ${classes.company}`}>
              <span className="visually-hidden">{texts.of}</span>
              {company}
            </span>
          )}
        </span>
        <ChevronDown size={16} />
      </button>
      {open && (
        <div ref={panel} id="account-menu" className={classes.panel}>
          <p className={classes.name}>{session.username}</p>
          {company !== null && <p className={classes.of}>{company}</p>}
          <Link to={accountOf(session.role)} className={classes.entry}>
            <Key size={20} />
            {texts.loginData}
          </Link>
          {install !== null && (
            <Button wide onClick={install}>
              {texts.install}
            </Button>
          )}
        </div>
      )}
    </div>
  )
}

/** Paper has no navigation bar: the user's name is printed on top. */
export function WhoseOnPaper({ session }: { session: Session }) {
  const company = useOwnCompany()
  return (
    <p className={classes.whose}>
      {session.username}
      {company !== null && `${texts.of}${company}`}
    </p>
  )
}
