import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { describe, expect, it } from 'vitest'
import { renderPage } from '../../tests/page'
import { Select } from './Select'

function PersonSelect() {
  const [value, choose] = useState('all')
  return (
    <Select
      label="Wessen"
      searchable
      value={value}
      onChange={choose}
      data={[
        { value: 'all', label: 'Alle' },
        { value: 'a', label: 'Anna Brandt' },
        { value: 'm', label: 'Mia Lorenz' },
      ]}
    />
  )
}

const field = () => screen.getByLabelText<HTMLInputElement>('Wessen', { selector: 'input' })

describe('one of many', () => {
  it('is found by typing, whatever was chosen before', async () => {
    renderPage(<PersonSelect />)
    await userEvent.click(field())
    await userEvent.keyboard('anna{Enter}')
    expect(field().value).toBe('Anna Brandt')
    await userEvent.click(document.body)
    await userEvent.tab()
    await userEvent.keyboard('mia{Enter}')
    expect(field().value).toBe('Mia Lorenz')
  })

  it('says so where nobody is called like that', async () => {
    renderPage(<PersonSelect />)
    await userEvent.type(field(), 'xyz')
    expect(await screen.findByText('Nichts gefunden.')).toBeTruthy()
  })
})
