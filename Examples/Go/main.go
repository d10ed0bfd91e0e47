// Price formats the prices of a storefront with a pack.
//
//	price PACK STOREFRONT AMOUNT...
//
// The pack comes from `pricetag pack -o store.pack`.
package main

import (
	"fmt"
	"os"

	"example.com/price/pricetag"
)

func main() {
	if len(os.Args) < 4 {
		fmt.Fprintln(os.Stderr, "usage: price PACK STOREFRONT AMOUNT...")
		os.Exit(2)
	}
	if err := run(os.Args[1], os.Args[2], os.Args[3:]); err != nil {
		fmt.Fprintf(os.Stderr, "price: %v (%s)\n", err, pricetag.CodeOf(err))
		os.Exit(1)
	}
}

func run(path, storefront string, amounts []string) error {
	pack, err := pricetag.Open(path)
	if err != nil {
		return err
	}
	// The date decides the currency of a storefront that has changed it.
	formatter, err := pack.Storefront(storefront, pricetag.Date{Year: 2026, Month: 1, Day: 31})
	if err != nil {
		return err
	}
	spoken, err := formatter.Spoken()
	if err != nil {
		return err
	}
	for _, amount := range amounts {
		text, err := formatter.Format(amount, pricetag.Exact)
		if err != nil {
			return err
		}
		name, err := spoken.Format(amount, pricetag.Exact)
		if err != nil {
			return err
		}
		fmt.Printf("%-12s %s\n%-12s %s\n", "text", text, "spoken", name)
	}
	return nil
}
