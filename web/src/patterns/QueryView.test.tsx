import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { renderPage } from '../../tests/page'
import { reportReached, reportUnreachable } from '../api/connectivity'
import { Refused, Unreachable } from '../api/failures'
import { type QueryState, QueryView } from './QueryView'

beforeEach(reportReached)

const queryOf = (more: Partial<QueryState<string>>): QueryState<string> => ({
  data: undefined,
  error: null,
  isFetching: false,
  refetch: vi.fn(),
  ...more,
})

function show(more: Partial<QueryState<string>>) {
  const query = queryOf(more)
  renderPage(
    <QueryView query={query} failed="Nicht da." failedAgain="Nicht neu." skeleton={<p>Balken</p>}>
      {data => <p>{data}</p>}
    </QueryView>,
  )
  return query
}

const REFUSED = new Refused(500, { code: 'x', message: 'Der Server ist müde.' })

describe('what was asked for', () => {
  it('shows its shape only after a moment', async () => {
    show({})
    expect(screen.queryByText('Balken')).toBeNull()
    expect(await screen.findByText('Balken')).toBeTruthy()
    expect(screen.getByRole('status').textContent).toContain('Wird geladen')
  })

  it('shows itself once it is there', () => {
    show({ data: 'Da.' })
    expect(screen.getByText('Da.')).toBeTruthy()
    expect(screen.queryByRole('status')).toBeNull()
  })

  it('says that it could not be had, why, and asks again at a press', async () => {
    const { refetch } = show({ error: REFUSED })
    expect(screen.getByRole('alert').textContent).toContain('Nicht da.Der Server ist müde.')
    await userEvent.click(screen.getByRole('button', { name: 'Erneut versuchen' }))
    expect(refetch).toHaveBeenCalledTimes(1)
  })

  it('is no failure where its times have gone: nothing brings them back', () => {
    show({ error: new Refused(409, { code: 'times_gone', message: 'Zeiten nach Frist gelöscht.' }) })
    expect(screen.getByText('Zeiten nach Frist gelöscht.')).toBeTruthy()
    expect(screen.queryByRole('alert')).toBeNull()
    expect(screen.queryByRole('button')).toBeNull()
  })

  it('stays when it cannot be had anew, and says so above', async () => {
    const { refetch } = show({ data: 'Da.', error: REFUSED })
    expect(screen.getByText('Da.')).toBeTruthy()
    expect(screen.getByRole('status').textContent).toContain('Nicht neu.Der Server ist müde.')
    await userEvent.click(screen.getByRole('button', { name: 'Erneut versuchen' }))
    expect(refetch).toHaveBeenCalledTimes(1)
  })

  it('is quiet while the service is out of reach, of which the banner speaks', () => {
    reportUnreachable()
    show({ error: new Unreachable() })
    expect(screen.getByText('Erst mit Verbindung wieder zu sehen.')).toBeTruthy()
    expect(screen.queryByRole('alert')).toBeNull()
    expect(screen.queryByRole('button')).toBeNull()
  })

  it('that is there is quiet then, too', () => {
    reportUnreachable()
    show({ data: 'Da.', error: new Unreachable() })
    expect(screen.getByText('Da.')).toBeTruthy()
    expect(screen.queryByText('Nicht neu.')).toBeNull()
  })
})
