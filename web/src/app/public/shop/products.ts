/** The nine products of the shop, in the documents' order, in three tabs. Prices are euros without value added tax. */
import type { Missing } from '../missing'
import beacon from '../pictures/beacon.svg'
import core from '../pictures/core.svg'
import dock from '../pictures/dock.svg'
import go from '../pictures/go.svg'
import hub from '../pictures/hub.svg'
import mini from '../pictures/mini.svg'
import powerdock from '../pictures/powerdock.svg'
import tagger from '../pictures/tagger.svg'
import tempwizard from '../pictures/tempwizard.svg'

export type Tab = 'main' | 'tools' | 'addons'

export interface Product {
  id: string
  tab: Tab
  /** The label on its badge. */
  section: string
  title: string
  subtitle: string
  /** Missing if the price is on request. */
  priceEUR?: number
  desc: string
  /** Its prerequisites. */
  needs?: readonly Missing[]
  icon: string
}

export const TABS: readonly { key: Tab; label: string }[] = [
  { key: 'main', label: 'Main Line' },
  { key: 'tools', label: 'Helpers' },
  { key: 'addons', label: 'Add-ons' },
]

export const PRODUCTS: readonly Product[] = [
  {
    id: 'core',
    tab: 'main',
    section: 'Stationär',
    title: 'Core',
    subtitle: 'Stationäre Haupt-Stempeluhr',
    priceEUR: 799,
    desc: 'Touchscreen, NFC-Leser und Speicher für Tage ohne Netz. Für die Tür, durch die alle gehen.',
    icon: core,
  },
  {
    id: 'go',
    tab: 'main',
    section: 'Mobil',
    title: 'Go',
    subtitle: 'Mobile Basisstation mit 12 tragbaren Scannern',
    priceEUR: 1299,
    desc: 'Der Koffer für die Baustelle: Jeder Trupp nimmt einen Scanner mit, abends lädt und überträgt der Koffer.',
    icon: go,
  },
  {
    id: 'tempwizard',
    tab: 'tools',
    section: 'Büro',
    title: 'TempWizard',
    subtitle: 'NFC-Scanner fürs Onboarding',
    priceEUR: 199,
    desc: 'Chip auflegen, Namen wählen, fertig: So kommen neue Leute zu ihrem Chip.',
    needs: ['tempwizard'],
    icon: tempwizard,
  },
  {
    id: 'tagger',
    tab: 'tools',
    section: 'Werkzeug',
    title: 'Tagger',
    subtitle: 'Werkzeug für NFC-Tags',
    desc: 'Liest und prüft Chips und sagt, welcher sich zum Stempeln eignet.',
    needs: ['tagger'],
    icon: tagger,
  },
  {
    id: 'hub',
    tab: 'tools',
    section: 'Zentrale',
    title: 'Hub',
    subtitle: 'Zentraleinheit',
    desc: 'Sammelt, was tragbare Scanner gestempelt haben, und reicht es weiter.',
    needs: ['hub'],
    icon: hub,
  },
  {
    id: 'dock',
    tab: 'addons',
    section: 'Halterung',
    title: 'Dock',
    subtitle: 'Halterung zum Andocken',
    priceEUR: 79,
    desc: 'Hält die Core an der Wand und führt das Kabel unsichtbar.',
    needs: ['docks'],
    icon: dock,
  },
  {
    id: 'powerdock',
    tab: 'addons',
    section: 'Halterung',
    title: 'PowerDock',
    subtitle: 'Dock mit USV',
    priceEUR: 149,
    desc: 'Wie das Dock, mit Akku: Die Uhr läuft weiter, wenn der Strom ausfällt.',
    needs: ['docks'],
    icon: powerdock,
  },
  {
    id: 'mini',
    tab: 'addons',
    section: 'Kompakt',
    title: 'Mini',
    subtitle: 'Kompakte Basiseinheit',
    priceEUR: 399,
    desc: 'Stempeln ohne Schirm, mit Ton und Licht. Für die zweite Tür und den Bauwagen.',
    needs: ['mini'],
    icon: mini,
  },
  {
    id: 'beacon',
    tab: 'addons',
    section: 'Mobil',
    title: 'Beacon',
    subtitle: 'Mobiles NFC-Gerät mit Akku',
    priceEUR: 249,
    desc: 'Am Karabiner dabei, wo keine Steckdose ist. Überträgt, sobald es wieder Netz hat.',
    needs: ['beacon'],
    icon: beacon,
  },
]
